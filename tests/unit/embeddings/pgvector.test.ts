import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PreparedIndexes } from '@/lib/embeddings/models';
import {
  dropOrphanedIndexes,
  installPgvector,
  pgvectorIndex,
  prepareHnswIndex,
} from '@/lib/embeddings/store/pgvector-index';
import { type Connection, type WithConnection, withPooledConnection } from '@/lib/platform/db/connections';
import { useTestDatabase } from '../../support/database';

// No server that these tests can start has pgvector. PGlite is PostgreSQL compiled to WebAssembly, with the extension;
// it builds indexes slowly, so the vectors are few and short. docs/performance.md has the figures for 100,000.
const agents = 6_000;
const dimensions = 64;

let database: PGlite;
const connection: Connection = {
  async query(text, values) {
    if (values) return database.query(text, values);
    return { rows: (await database.exec(text)).at(-1)?.rows ?? [] };
  },
};
const index = pgvectorIndex((work) => work(connection));
const vectors = new Map<string, Float32Array>();

useTestDatabase();

beforeAll(async () => {
  database = await PGlite.create({ extensions: { vector } });
  await database.exec(`
    CREATE TABLE embedding_model (id smallint PRIMARY KEY);
    CREATE TABLE agent_search (agent_id text PRIMARY KEY, is_withheld boolean NOT NULL DEFAULT false);
    CREATE TABLE agent_embedding (model smallint, agent_id text, part smallint, vec real[], PRIMARY KEY (model, agent_id, part));
    INSERT INTO embedding_model VALUES (1), (2)`);
  const random = randomFrom(5);
  const centers = Array.from({ length: 80 }, () => Float32Array.from({ length: dimensions }, random));
  for (let n = 0; n < agents; n++) vectors.set(`agt_${n}`, near(centers[n % 80] ?? new Float32Array(), random));
  await store(1, vectors);
  // Another model's vectors have another length.
  await store(2, new Map([...vectors].slice(0, 50).map(([id, all]) => [id, all.slice(0, 16)])));
});
afterAll(() => database.close());

async function store(model: number, all: Map<string, Float32Array>): Promise<void> {
  const lines = [...all].map(([id, numbers]) => `${model}\t${id}\t${0}\t{${numbers.join()}}\n`);
  await database.query(`COPY agent_embedding FROM '/dev/blob'`, [], { blob: new Blob(lines) });
  await database.query('INSERT INTO agent_search SELECT DISTINCT agent_id FROM agent_embedding ON CONFLICT DO NOTHING');
  await database.exec('ANALYZE');
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}

/** A unit vector around a center. */
function near(center: Float32Array, random: () => number): Float32Array {
  const moved = center.map((value) => value + 0.8 * random());
  const norm = Math.hypot(...moved);
  return moved.map((value) => value / norm);
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

/** The exact order. */
function ranked(query: Float32Array): { agentId: string; cosine: number }[] {
  const all = [...vectors].map(([agentId, numbers]) => ({ agentId, cosine: dot(query, numbers) }));
  return all.sort((one, other) => other.cosine - one.cosine);
}

/** Near some agents, in a direction of their own. */
const queries = (() => {
  const random = randomFrom(77);
  return (count: number): Float32Array[] =>
    Array.from({ length: count }, (_, n) =>
      near(
        vectorOf(`agt_${n}`).map((value) => value * 8),
        random,
      ),
    );
})();

function vectorOf(agentId: string): Float32Array {
  return vectors.get(agentId) ?? new Float32Array(dimensions);
}

async function nearest(query: Float32Array, limit = 200) {
  return index.nearest({ vector: query, model: 1, limit, where: null });
}

describe('installing the pgvector extension', () => {
  test('is not attempted if the database does not offer it', async () => {
    expect(await withPooledConnection(installPgvector)).toMatchObject({ isUsable: false });
  });

  test('fails without an error if the role lacks the permission', async () => {
    await database.exec('CREATE ROLE guest; SET ROLE guest');
    expect(await installPgvector(connection)).toMatchObject({ isUsable: false });
    await database.exec('RESET ROLE');
  });

  test('succeeds on every attempt if the database offers it', async () => {
    expect(await installPgvector(connection)).toMatchObject({ isUsable: true });
    expect(await installPgvector(connection)).toMatchObject({ isUsable: true });
  });

  test.each([
    ['older than 0.8', { version: '0.7.4', usable: true }],
    ['outside the search path', { version: '0.8.0', usable: false }],
  ])('does not make the extension usable if it is %s', async (_case, row) => {
    const answers = [[{ default_version: '0.8.0', installed_version: '0.7.4' }], [row]];
    const database = { query: async () => ({ rows: answers.shift() ?? [] }) };
    expect(await installPgvector(database)).toMatchObject({ isUsable: false });
  });
});

describe('the pgvector index', () => {
  test('is built once, for one model’s vectors', async () => {
    expect(await prepareHnswIndex(connection, { model: 1, dimensions })).toBe(true);
    expect(await statementsOf(() => prepareHnswIndex(spy, { model: 1, dimensions }))).toHaveLength(1);
  }, 120_000);

  test('answers queries in order of distance, without withheld agents', async () => {
    const query = vectorOf('agt_9');
    const statements = await statementsOf(() =>
      pgvectorIndex((work) => work(spy)).nearest({ vector: query, model: 1, limit: 200, where: null }),
    );
    const select = statements.find((text) => text.startsWith('SELECT'));
    const { rows } = await database.query(`EXPLAIN ${select}`, [`[${query.join()}]`, 200]);
    const plan = rows.map((row) => Object.values(row as object)[0]).join('\n');
    expect(plan).toContain('Index Scan using agent_embedding_hnsw_1');
    expect(plan).not.toContain('Seq Scan on agent_embedding');
  });

  test('finds on average at least 95 % of the twenty nearest vectors, with exact cosines', async () => {
    let found = 0;
    for (const query of queries(50)) {
      const parts = await nearest(query);
      const exact = ranked(query);
      const cosines = new Map(exact.map(({ agentId, cosine }) => [agentId, cosine]));
      expect(parts).toHaveLength(200);
      for (const { agentId, cosine } of parts) expect(cosine).toBeCloseTo(cosines.get(agentId) ?? 9, 5);
      expect(parts.toSorted((one, other) => other.cosine - one.cosine)).toEqual(parts);
      const near20 = new Set(parts.slice(0, 20).map(({ agentId }) => agentId));
      found += exact.slice(0, 20).filter(({ agentId }) => near20.has(agentId)).length;
    }
    expect(found / (50 * 20)).toBeGreaterThanOrEqual(0.95);
  });

  test('excludes withheld agents, and fills the page even if the 500 nearest are withheld', async () => {
    const query = vectorOf('agt_9');
    const hidden = ranked(query)
      .slice(0, 500)
      .map(({ agentId }) => agentId);
    await database.query('UPDATE agent_search SET is_withheld = true WHERE agent_id = ANY($1)', [hidden]);
    try {
      const parts = await nearest(query);
      expect(parts).toHaveLength(200);
      expect(parts.filter(({ agentId }) => hidden.includes(agentId))).toEqual([]);
    } finally {
      await database.exec('UPDATE agent_search SET is_withheld = false');
    }
  });

  test('returns only agents that pass a condition', async () => {
    const where = { sql: 'NOT s.is_withheld AND s.agent_id ~ $1', values: ['7$'] };
    const parts = await index.nearest({ vector: vectorOf('agt_9'), model: 1, limit: 100, where });
    expect(parts).toHaveLength(100);
    expect(parts.every(({ agentId }) => agentId.endsWith('7'))).toBe(true);
  });

  test('is rebuilt after an interrupted build', async () => {
    const small = { model: 2, dimensions: 16 };
    expect(await prepareHnswIndex(connection, small)).toBe(true);
    await database.exec(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'agent_embedding_hnsw_2'::regclass`);
    const statements = await statementsOf(() => prepareHnswIndex(spy, small));
    expect(statements.filter((text) => /^(DROP|CREATE) INDEX CONCURRENTLY/.test(text))).toHaveLength(2);
    expect(await statementsOf(() => prepareHnswIndex(spy, small))).toHaveLength(1);
    const parts = await index.nearest({ vector: vectorOf('agt_7').slice(0, 16), model: 2, limit: 3, where: null });
    expect(parts[0]?.agentId).toBe('agt_7');
  });

  test('is not built while another node builds one, or for vectors that it cannot store', async () => {
    const sent: string[] = [];
    const busy: Connection = {
      async query(text) {
        sent.push(text);
        return { rows: text.includes('pg_try_advisory_lock') ? [{ acquired: false }] : [] };
      },
    };
    expect(await prepareHnswIndex(busy, { model: 3, dimensions })).toBe(false);
    expect(await prepareHnswIndex(busy, { model: 3, dimensions: 4_001 })).toBe(false);
    expect(sent.join('\n')).not.toContain('CREATE INDEX');
  });

  test('is dropped with its model', async () => {
    await database.exec('DELETE FROM embedding_model WHERE id = 2');
    await dropOrphanedIndexes(connection);
    const { rows } = await database.query(`SELECT relname FROM pg_class WHERE relname LIKE 'agent_embedding_hnsw%'`);
    expect(rows).toEqual([{ relname: 'agent_embedding_hnsw_1' }]);
  });
});

describe('the choice between the two indexes', () => {
  const bits = { nearest: async () => [{ agentId: 'by bits', part: 0, cosine: 1 }] };
  const query = { vector: new Float32Array(dimensions).fill(0.125), model: 1, limit: 3, where: null };
  const lend =
    (lent: Connection): WithConnection =>
    (work) =>
      work(lent);

  test('uses pgvector once its index is ready, and the bit index before that or after a failure', async () => {
    const broken: Connection = { query: () => Promise.reject(new Error('type "vector" does not exist')) };
    let pooled = connection;
    const indexes = new PreparedIndexes(bits, { pooled: (work) => work(pooled), maintenance: lend(connection) });
    expect((await indexes.nearest(query))[0]?.agentId).toBe('by bits');
    await indexes.prepare([{ model: 1, dimensions }]);
    expect(indexes.kindOf(1)).toBe('pgvector');
    expect((await indexes.nearest(query))[0]?.agentId).toMatch(/^agt_/);
    pooled = broken;
    expect((await indexes.nearest(query))[0]?.agentId).toBe('by bits');
    expect(indexes.kindOf(1)).toBe('bits');
  });

  test('uses the bit index if so few agents pass a condition that the scan may have missed some', async () => {
    const indexes = new PreparedIndexes(bits, { pooled: lend(connection), maintenance: lend(connection) });
    await indexes.prepare([{ model: 1, dimensions }]);
    const only = (agentId: string) => ({ sql: 's.agent_id = $1', values: [agentId] });
    expect((await indexes.nearest({ ...query, where: only('agt_5') }))[0]?.agentId).toBe('by bits');
    expect((await indexes.nearest({ ...query, limit: 1, where: only('agt_5') }))[0]?.agentId).toBe('agt_5');
  });

  test('uses the bit index if pgvector is not offered or cannot be prepared', async () => {
    const failing: Connection = { query: () => Promise.reject(new Error('gone')) };
    for (const maintenance of [withPooledConnection, lend(failing)]) {
      const indexes = new PreparedIndexes(bits, { pooled: withPooledConnection, maintenance });
      await indexes.prepare([{ model: 1, dimensions }]);
      expect((await indexes.nearest(query))[0]?.agentId).toBe('by bits');
    }
  });
});

let sent: string[] = [];
/** The database, with its statements recorded. */
const spy: Connection = {
  query(text, values) {
    sent.push(text);
    return connection.query(text, values);
  },
};

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await work();
  return sent;
}
