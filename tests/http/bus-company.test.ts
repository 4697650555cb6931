import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnlyNode, nodeId, notifyStatements, startBus, stopBus } from '@/lib/platform/bus';
import { closePipeline, executePipelined } from '@/lib/platform/pipelined-connection';
import { closePool } from '@/lib/platform/sql';
import { fileDatabase } from '../support/database';
import { waitFor } from '../support/wait-for';

let other: pg.Client;
const heard: string[] = [];

beforeAll(async () => {
  const { url } = await fileDatabase();
  await startBus();
  other = new pg.Client({ connectionString: url });
  await other.connect();
  other.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await other.query('LISTEN parley');
});
afterAll(async () => {
  await other.end();
  await closePipeline();
  await stopBus();
  await closePool();
});

/** Writes something that others hear of, and answers whether they did. */
async function tells(): Promise<boolean> {
  const key = randomUUID();
  await executePipelined([
    { name: 'one', text: 'SELECT 1', values: [] },
    ...notifyStatements('test', () => [key, 'more']),
  ]);
  const end = `end ${key}`;
  await other.query(`SELECT pg_notify('parley', $1)`, [`* ${end}`]);
  await waitFor(() => heard.includes(`* ${end}`), { what: 'what was said after it' });
  return heard.includes(`${nodeId()} test ${key},more`);
}

test('a node tells the others of its writes until it knows that there are none, and again as soon as one is there', async () => {
  expect(isOnlyNode()).toBe(false);
  expect(await tells()).toBe(true);
  // It says that it is there all the time, for those that come.
  await waitFor(() => heard.filter((payload) => payload === nodeId()).length > 1, { what: 'the pulse of the node' });
  await waitFor(isOnlyNode, { what: 'the node to know that it is alone' });
  expect(await tells()).toBe(false);
  await other.query(`SELECT pg_notify('parley', 'another')`);
  await waitFor(() => !isOnlyNode(), { what: 'the node to hear of another' });
  expect(await tells()).toBe(true);
});
