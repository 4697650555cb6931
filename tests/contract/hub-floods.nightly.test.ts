import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedWorker } from '../fakes/scripted-worker';
import { message10, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent, setCallLimits } from './hub-fixture';

const events = 50_000;
const maxGrowthBytes = 8 * 1_048_576;
/** Connections are checked every 20 s, and are silent for 45 s before they end. */
const slow = { timeout: 90_000 };

let parley: Parley;

beforeAll(async () => {
  const preload = `--import ${new URL('../support/report-memory.mjs', import.meta.url).href}`;
  parley = await startParley({ env: { HUB_GRACE_SECONDS: '1', NODE_OPTIONS: preload } });
});

afterAll(async () => {
  await parley?.stop();
});

/** Memory in use after a garbage collection, bytes. */
async function memory(): Promise<number> {
  const reports = (): string[] => parley.output().match(/\{"event":"memory".*\}/g) ?? [];
  const before = reports().length;
  process.kill(parley.pid, 'SIGUSR2');
  const report = await waitFor(() => reports()[before], { what: 'the memory in use' });
  return (JSON.parse(report) as { bytes: number }).bytes;
}

/** Answers one message with `count` events at once. Returns how the connection closed. */
async function flood(agent: HubAgent, count: number): Promise<number | undefined> {
  const worker = await agent.worker();
  worker.onStart = (run) => {
    for (let n = 0; n < count; n++) run.piece('x'.repeat(300));
  };
  const { body } = await rpc(agent.caller, 'SendMessage', message10('flood'));
  expect(JSON.stringify(body)).toContain('did not reconnect');
  await waitFor(() => worker.closed, { what: 'the connection to close' });
  return worker.closed?.code;
}

test('a worker that floods the hub with events is disconnected, and its memory is released', slow, async () => {
  const agent = await listHubAgent(parley);
  for (let round = 0; round < 3; round++) await flood(agent, 2_000);
  const before = await memory();
  expect(await flood(agent, events)).toBe(4400);
  expect(((await memory()) - before) / 1_048_576).toBeLessThan(maxGrowthBytes / 1_048_576);
});

describe('a worker that does not read', () => {
  test('is paused, and receives its responses once it reads again', slow, async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    const before = await memory();
    worker.socket.pause();
    // The response contains the id.
    const id = 'x'.repeat(500_000);
    for (let n = 0; n < 200; n++) worker.send({ jsonrpc: '2.0', id, method: 'hub.ping' });
    let left = Number.POSITIVE_INFINITY;
    await waitFor(
      async () => {
        const previous = left;
        left = worker.socket.bufferedAmount;
        await sleep(500);
        return left === previous;
      },
      { timeout: 20_000, what: 'the hub to stop reading' },
    );
    expect(left).toBeGreaterThan(0);
    expect(((await memory()) - before) / 1_048_576).toBeLessThan(20);
    worker.socket.resume();
    await waitFor(() => worker.received.length >= 201, { timeout: 20_000, what: 'the responses' });
    expect(worker.closed).toBeNull();
    await worker.close();
  });

  test.concurrent('is disconnected at a limit, and its offered runs go to another worker', slow, async () => {
    const agent = await listHubAgent(parley);
    await setCallLimits(parley, agent, { queueSeconds: 300 });
    const worker = await agent.worker({ capacity: 100 });
    worker.socket.pause();
    const text = randomBytes(300_000).toString('hex');
    const sending = Array.from({ length: 40 }, () => rpc(agent.caller, 'SendMessage', message10(text)));
    await waitFor(() => connections(agent).then((count) => count === 0), { timeout: 80_000, what: 'the end' });
    const other = await agent.worker({ capacity: 100 });
    other.onStart = (run) => run.status('COMPLETED');
    for (const { body } of await Promise.all(sending)) expect(body.error).toBeUndefined();
    expect(other.started).toHaveLength(40);
    worker.socket.terminate();
    await other.close();
  });

  test.concurrent('is treated as disconnected when it does not answer pings', slow, async () => {
    const agent = await listHubAgent(parley);
    const [silent, alive] = [await agent.worker(), await agent.worker()];
    // ws answers pings by itself.
    Reflect.set(silent.socket, '_autoPong', false);
    await waitFor(() => silent.closed, { timeout: 80_000, what: 'the silent connection to close' });
    expect(alive.closed).toBeNull();
    await waitFor(async () => (await connections(agent)) === 1, { what: 'one worker to remain' });
    await alive.close();
  });
});

async function connections({ slug }: HubAgent): Promise<number> {
  const statement =
    'SELECT w.id FROM hub_worker w JOIN agent a ON a.id = w.agent_id WHERE a.slug = $1 AND w.left_at IS NULL';
  return (await query('test-hub-workers', statement, [slug])).length;
}

test.concurrent('a connection that sends no data for ten seconds is closed', async () => {
  const { token, slug } = await listHubAgent(parley);
  const worker = await ScriptedWorker.open({ url: parley.url, token, agent: slug });
  await waitFor(() => worker.closed, { timeout: 20_000, what: 'the connection to close' });
  expect(worker.closed?.code).toBe(4400);
});
