import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishLocally, startBus, stopBus, type Topic } from '@/lib/platform/bus';
import { closePool } from '@/lib/platform/db/sql';
import { MicroCache } from '@/lib/tokens/agent-tokens/token-caches';
import { fileDatabase } from '../support/database';

beforeAll(async () => {
  await fileDatabase();
  await startBus();
});
afterAll(async () => {
  await stopBus();
  await closePool();
});

const now = new Date('2030-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);
const never = Number.POSITIVE_INFINITY;

async function recalled(endsAt = never): Promise<MicroCache<string>> {
  const recall = new MicroCache<string>();
  expect(await recall.getOrLoad('token', now, async () => ({ value: 'Ada', endsAt }))).toBe('Ada');
  return recall;
}

test('a cached result is valid for one second after its lookup', async () => {
  const recall = await recalled();
  const times = [-1, 0, 999, 1_000].map((ms) => recall.get('token', after(ms)));
  expect(times).toEqual([undefined, 'Ada', 'Ada', undefined]);
  expect(recall.get('another', now)).toBeUndefined();
});

test('a cached result expires with its token', async () => {
  const recall = await recalled(now.getTime() + 300);
  expect([299, 300].map((ms) => recall.get('token', after(ms)))).toEqual(['Ada', undefined]);
});

const topics: Topic[] = ['revoked', 'credential', 'user', 'agent', 'app', 'grant', 'keys'];

test.each(topics)('REV-1: a cached result is invalid once an event about "%s" has arrived', async (topic) => {
  const recall = await recalled();
  publishLocally(topic, 'anything');
  expect(recall.get('token', now)).toBeUndefined();
});

test('REV-1: a value that changes during its lookup is not cached', async () => {
  const recall = new MicroCache<string>();
  await recall.getOrLoad('token', now, async () => {
    publishLocally('credential', 'pat_1');
    return { value: 'Ada', endsAt: never };
  });
  expect(recall.get('token', now)).toBeUndefined();
});

test('REV-1: no value is cached while events cannot be received', async () => {
  const recall = new MicroCache<string>();
  await stopBus();
  await recall.getOrLoad('token', now, async () => ({ value: 'Ada', endsAt: never }));
  expect(recall.get('token', now)).toBeUndefined();
});
