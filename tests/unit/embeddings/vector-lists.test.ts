import { beforeAll, expect, test } from 'vitest';
import { bitsIndex } from '@/lib/embeddings/store/bits-index';
import { selectModels } from '@/lib/embeddings/store/model-rows';
import { prepareLists } from '@/lib/embeddings/store/vector-lists';
import { storeVectors } from '@/lib/embeddings/store/vectors';
import { type NearestPart, signBits } from '@/lib/embeddings/vector-index';
import { withMaintenanceConnection } from '@/lib/platform/db/connections';
import { useTestDatabase } from '../../support/database';
import { seedAgents } from '../../support/seed-agents';
import { query } from '../../support/sql';

// The sizes are small, so that the lists are built in a second. docs/performance.md has the figures for a million.
const sizes = { minVectors: 2_000, lists: 32, sampled: 1_000, searched: 6 };
const dimensions = 64;
const topics = 40;

useTestDatabase();

let model: number;
let agentIds: string[];
const random = randomFrom(7);
const centers = Array.from({ length: topics }, () => Array.from({ length: dimensions }, () => random() - 0.5));

beforeAll(async () => {
  await seedAgents(Array.from({ length: 20 }, (_, n) => ({ name: `Agent ${n}`, description: 'Listed.' })));
  agentIds = (await query<{ id: string }>('agents', 'SELECT id FROM agent ORDER BY id')).map(({ id }) => id);
  await query(
    'insert-model',
    `INSERT INTO embedding_model (name, dims, state, created_at) VALUES ('test', ${dimensions}, 'active', now())`,
  );
  model = (await selectModels())[0]?.id ?? 0;
  for (const agentId of agentIds) {
    const changed = Array.from({ length: 150 }, (_, part) => ({ part, hash: '00', vector: near(part % topics) }));
    await storeVectors({ model, agentId, changedAt: '2026-01-01', card: {} as never }, { changed, unchanged: [] });
  }
}, 60_000);

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A unit vector about a topic. */
function near(topic: number): Float32Array {
  const vector = Float32Array.from(centers[topic] ?? [], (value) => value + 0.5 * (random() - 0.5));
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

async function nearest(vector: Float32Array, where: string | null = null): Promise<NearestPart[]> {
  const models = await selectModels();
  const index = bitsIndex((id) => models.find((known) => known.id === id), sizes.searched);
  return index.nearest({ vector, model, limit: 20, where: where === null ? null : { sql: where, values: [] } });
}

const listsOf = () =>
  query<{ list: number; bits: string }>('lists', 'SELECT list::int, bits::text FROM agent_embedding_bits');

test('a vector search over a small number of vectors reads all of them', async () => {
  await withMaintenanceConnection((connection) => prepareLists(connection, model));
  expect((await selectModels())[0]?.listedVectors).toBe(0);
  expect(new Set((await listsOf()).map(({ list }) => list))).toEqual(new Set([0]));
});

test('a vector search over many vectors finds nearly the same vectors in a few lists as in all lists', async () => {
  const searches = Array.from({ length: 30 }, (_, n) => near(n % topics));
  const before = await Promise.all(searches.map((vector) => nearest(vector)));
  await withMaintenanceConnection((connection) => prepareLists(connection, model, sizes));
  expect((await selectModels())[0]?.listedVectors).toBe(3_000);
  expect(new Set((await listsOf()).map(({ list }) => list)).size).toBeGreaterThan(sizes.lists / 2);
  const after = await Promise.all(searches.map((vector) => nearest(vector)));
  const keyOf = ({ agentId, part }: NearestPart): string => `${agentId} ${part}`;
  const found = after.map((parts, n) => {
    const keys = new Set(parts.map(keyOf));
    return (before[n] ?? []).filter((part) => keys.has(keyOf(part))).length;
  });
  expect(found.reduce((sum, count) => sum + count, 0) / (20 * searches.length)).toBeGreaterThan(0.95);
});

test('a vector search finds all matches for a condition that few agents pass', async () => {
  const [agentId = ''] = agentIds;
  const parts = await nearest(near(3), `s.agent_id = '${agentId}'`);
  expect(parts).toHaveLength(20);
  expect(parts.every((part) => part.agentId === agentId)).toBe(true);
});

test('a vector that is stored later is added to its neighbors’ list', async () => {
  const [, agentId = ''] = agentIds;
  const vector = near(5);
  const changed = [{ part: 200, hash: '01', vector }];
  const unchanged = Array.from({ length: 150 }, (_, part) => part);
  await storeVectors({ model, agentId, changedAt: '2026-01-02', card: {} as never }, { changed, unchanged });
  const stored = (await listsOf()).find(({ bits }) => bits === signBits(vector, null));
  expect(stored?.list).toBeGreaterThan(0);
  expect((await nearest(vector))[0]).toMatchObject({ agentId, part: 200 });
});
