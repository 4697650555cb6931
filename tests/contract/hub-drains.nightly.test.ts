import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

const sockets = 500;
/** A drain of one second, plus the time in which a process ends. */
const maxStopMs = 10_000;
/** Starts a Parley of its own, on a machine that may be busy elsewhere. */
const slow = { timeout: 90_000 };

async function isOffline({ url }: Parley, { slug }: HubAgent): Promise<boolean> {
  const response = await fetch(`${url}/api/agents/${slug}`);
  const { presence } = (await response.json()) as { presence: { online: boolean } };
  return !presence.online;
}

test(
  'a disconnected worker can reconnect to any node within a minute, and does not count toward a limit',
  slow,
  async () => {
    const parley = await startParley({ env: { HUB_GRACE_SECONDS: '1' } });
    const busy = await listHubAgent(parley);
    const other = await startParley({ databaseUrl: parley.databaseUrl, env: { APP_URL: parley.url } });
    const first = await busy.worker();
    for (let isRefused = false; !isRefused; ) {
      const stranger = await busy.worker();
      isRefused = stranger.hello?.error !== undefined;
      await stranger.close();
    }
    await first.close();
    await waitFor(() => isOffline(parley, busy), { what: 'the worker to disconnect' });
    const back = await busy.worker({ url: other.url, workerId: first.workerId });
    expect(back.hello?.error).toBeUndefined();
    await back.close();
    await other.stop();
    await parley.stop();
  },
);

test('SIGTERM closes 500 idle connections with 1012, and the process ends within its drain period', slow, async () => {
  const own = await startParley({ env: { DRAIN_SECONDS: '1' } });
  const listed = await listHubAgent(own);
  const workers = await Promise.all(Array.from({ length: 20 }, () => listed.worker()));
  const codes: number[] = [];
  const open = async (): Promise<void> => {
    const idle = new WebSocket(`${own.url.replace('http', 'ws')}/ws/agents`, 'parley.hub.v1');
    idle.on('close', (code) => codes.push(code));
    await new Promise((resolve) => idle.once('open', resolve));
  };
  await Promise.all(Array.from({ length: sockets - workers.length }, open));
  const startedAt = Date.now();
  await own.stop();
  expect(Date.now() - startedAt).toBeLessThan(maxStopMs);
  await waitFor(() => codes.length === sockets - workers.length, { what: 'every connection to close' });
  expect(new Set(codes)).toEqual(new Set([1012]));
  for (const worker of workers) {
    expect([worker.frames('hub.draining').length, worker.closed?.code]).toEqual([1, 1012]);
  }
});
