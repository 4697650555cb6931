import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import { type Connection, connectTo, createPerson, listAgent, message03, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let watching: Parley;
let running: Parley;
let agent: ScriptedAgent;
let connection: Connection;
let cutters: { watching: ConnectionCutter; running: ConnectionCutter };

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Slow' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  const { url: databaseUrl } = await fileDatabase();
  cutters = { watching: await openConnectionCutter(databaseUrl), running: await openConnectionCutter(databaseUrl) };
  watching = await startParley({ env, databaseUrl: cutters.watching.via(databaseUrl) });
  running = await startParley({
    env: { ...env, APP_URL: watching.url },
    databaseUrl: cutters.running.via(databaseUrl),
  });
  const ada = await createPerson(watching.url);
  const atWatching = await connectTo(watching.url, ada, await listAgent(watching.url, ada, { url: agent.url }));
  connection = { ...atWatching, url: atWatching.url.replace(watching.url, running.url) };
});

afterAll(async () => {
  await running?.stop();
  await watching?.stop();
  await agent?.stop();
});

test('nodes that lose the database at the same time continue their runs, whichever reconnects first', async () => {
  let finish: (() => void) | undefined;
  agent.answer(({ result, end }) => {
    finish = () => {
      result(agent03.task('t-1', 'completed', ['done']));
      end();
    };
  });
  const sent = rpc(connection, 'message/send', message03('work'));
  await waitFor(() => finish !== undefined, { what: 'the agent to work' });
  await Promise.all([cutters.watching.cut(), cutters.running.cut()]);
  await cutters.watching.restore();
  // Long enough for several searches for dead nodes.
  await waitFor(() => hasListenedFor(watching, 2), { what: 'the other node to reconnect', timeout: 20_000 });
  await cutters.running.restore();
  finish?.();
  const answer = (await sent).body.result as unknown;
  expect(answer).toMatchObject({ status: { state: 'completed' } });
  const { id } = answer as { id: string };
  const stored = await rpc(connection, 'tasks/get', { id });
  expect(stored.body.result).toMatchObject({ status: { state: 'completed' } });
  expect(agent.calls('message/stream')).toHaveLength(1);
  expect(agent.calls('tasks/get')).toHaveLength(0);
});

async function hasListenedFor({ pid, databaseUrl }: Parley, seconds: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted
         AND application_name LIKE 'parley-' || $1::text || '-%' AND backend_start < now() - make_interval(secs => $2)`,
      [pid, seconds],
    );
    return (rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
}
