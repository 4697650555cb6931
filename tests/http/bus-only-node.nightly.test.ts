import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnlyNode, nodeId, notifyStatements, startBus, stopBus } from '@/lib/platform/bus';
import { closePipeline, executePipelined } from '@/lib/platform/db/pipelined-statements';
import { closePool } from '@/lib/platform/db/sql';
import { mainTaskDatabase } from '@/lib/platform/db/task-databases/task-databases';
import { fileDatabase } from '../support/database';
import { waitFor } from '../support/wait-for';

let other: pg.Client;
const receivedPayloads: string[] = [];

beforeAll(async () => {
  const { url } = await fileDatabase();
  await startBus();
  other = new pg.Client({ connectionString: url });
  await other.connect();
  other.on('notification', ({ payload }) => receivedPayloads.push(payload ?? ''));
  await other.query('LISTEN parley');
});
afterAll(async () => {
  await other.end();
  await closePipeline();
  await stopBus();
  await closePool();
});

/** Makes a write that is published, and returns whether it was. */
async function isPublished(): Promise<boolean> {
  const key = randomUUID();
  await executePipelined(mainTaskDatabase, [
    { name: 'one', text: 'SELECT 1', values: [] },
    ...notifyStatements('test', () => [key, 'more']),
  ]);
  const end = `end ${key}`;
  await other.query(`SELECT pg_notify('parley', $1)`, [`* ${end}`]);
  await waitFor(() => receivedPayloads.includes(`* ${end}`), { what: 'the later notification' });
  return receivedPayloads.includes(`${nodeId()} test ${key},more`);
}

test('a node publishes its writes until it detects no other node, and again once another node joins', async () => {
  expect(isOnlyNode()).toBe(false);
  expect(await isPublished()).toBe(true);
  // It always sends heartbeats, so that joining nodes find it.
  await waitFor(() => receivedPayloads.filter((payload) => payload === nodeId()).length > 1, {
    what: 'the heartbeat of the node',
  });
  await waitFor(isOnlyNode, { what: 'the node to detect that it has no peers' });
  expect(await isPublished()).toBe(false);
  await other.query(`SELECT pg_notify('parley', 'another')`);
  await waitFor(() => !isOnlyNode(), { what: 'the node to detect another node' });
  expect(await isPublished()).toBe(true);
});
