import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { copyRows, int2, ints } from './copy.mjs';
import { copyId } from './fill-catalog.mjs';

const dimensions = 512;
const agentsPerCopy = 5_000;
/** `VECTOR_LISTS.minVectors` in lib/embeddings. */
const listedFrom = 50_000;

/**
 * Stores vectors for the copies made by fill-catalog.mjs and the active model: near sentences, and by COPY, because
 * embedding a million texts takes a day. Returns when the node has distributed them over lists, if there are enough.
 *
 * @param {string} databaseUrl
 * @param {{ agents: number, parts: number, sentences: Float32Array[] }} vectors
 * @returns {Promise<void>}
 */
export async function fillVectors(databaseUrl, { agents, parts, sentences }) {
  const source = vectorSource(sentences);
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 0 });
  await client.connect();
  try {
    const model = await centerModel(client, source);
    for (let from = 1; from <= agents; from += agentsPerCopy) {
      const rows = [];
      for (let n = from; n < Math.min(from + agentsPerCopy, agents + 1); n++) {
        for (let part = 0; part < parts; part++) rows.push({ id: copyId(n), part, vector: source(n * 32 + part) });
      }
      await copyRows(client, {
        target: 'agent_embedding (model, agent_id, part, source_hash, packed, vec)',
        rows: rows.map(vectorRow(model.id)),
      });
      await copyRows(client, {
        target: 'agent_embedding_bits (model, agent_id, part, bits)',
        rows: rows.map(bitsRow(model)),
      });
    }
    await client.query('VACUUM ANALYZE agent_embedding');
    await client.query('VACUUM ANALYZE agent_embedding_bits');
    while (agents * parts >= listedFrom && !(await hasLists(client, model.id))) await delay(1_000);
  } finally {
    await client.end();
  }
}

async function hasLists(client, model) {
  const { rows } = await client.query('SELECT listed_vectors > 0 AS is_listed FROM embedding_model WHERE id = $1', [
    model,
  ]);
  return rows[0].is_listed;
}

/**
 * Returns unit vectors by number: each is near one sentence, less near two others, and differs in all dimensions.
 *
 * @param {Float32Array[]} sentences unit vectors
 * @returns {(n: number) => Float32Array} the same for every caller
 */
function vectorSource(sentences) {
  return (n) => {
    const random = randomFrom(n + 1);
    const [first, second, third] = [0, 0, 0].map(() => sentences[Math.floor(random() * sentences.length)]);
    const [more, less] = [0.6 * random(), 0.4 * random()];
    const vector = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at++) {
      vector[at] = first[at] + more * second[at] + less * third[at] + 0.06 * (random() - 0.5);
    }
    return normalized(vector);
  };
}

function normalized(vector) {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** Numbers from 0 to 1. */
function randomFrom(seed) {
  let state = Math.imul(seed, 2_654_435_761) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
  for (let times = 0; times < 8; times++) next();
  return next;
}

/**
 * Creates the active model with the mean of its vectors: a node would compute the mean from the first vectors and
 * change all signs.
 */
async function centerModel(client, source) {
  const mean = new Float32Array(dimensions);
  for (let n = 0; n < 1_000; n++) for (const [at, value] of source(n * 977).entries()) mean[at] += value / 1_000;
  const { rows } = await client.query(`UPDATE embedding_model SET mean = $1 WHERE state = 'active' RETURNING id`, [
    [...mean],
  ]);
  if (rows.length === 0) throw new Error('no model is active');
  return { id: rows[0].id, mean };
}

const vectorRow =
  (model) =>
  ({ id, part, vector }) => {
    const bytes = Buffer.alloc(dimensions * 8);
    for (let at = 0; at < dimensions; at++) {
      bytes.writeInt32BE(4, at * 8);
      bytes.writeFloatBE(vector[at], at * 8 + 4);
    }
    // One dimension, no NULL, float4, its length, from 1.
    const array = Buffer.concat([ints(1, 0, 700, dimensions, 1), bytes]);
    return [int2(model), Buffer.from(id), int2(part), Buffer.alloc(32, part), packed(vector), array];
  };

/** Encodes a vector like `packVector` in lib/embeddings. */
function packed(vector) {
  const factor = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  const bytes = Buffer.alloc(4 + vector.length);
  bytes.writeFloatLE(factor, 0);
  for (const [at, value] of vector.entries()) bytes.writeInt8(Math.round(value / factor), 4 + at);
  return bytes;
}

const bitsRow =
  (model) =>
  ({ id, part, vector }) => {
    const bits = Buffer.alloc(dimensions / 8);
    for (let at = 0; at < dimensions; at++) if (vector[at] > model.mean[at]) bits[at >> 3] |= 128 >> (at & 7);
    return [int2(model.id), Buffer.from(id), int2(part), Buffer.concat([ints(dimensions), bits])];
  };
