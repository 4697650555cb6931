import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message03, rpc, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let agent: ScriptedAgent;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Leaving' });
  parley = await startParley({
    env: {
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      PROBE_INTERVAL_SECONDS: '86400',
      PROBE_RUN_INTERVAL_SECONDS: '0',
    },
  });
});
afterAll(async () => {
  await agent?.stop();
  await parley?.stop();
});

test('a failed call to an agent starts a check, and the agent is shown as degraded if that check fails', async () => {
  const { url } = parley;
  const ada = await createPerson(url, 'Ada');
  const slug = await listAgent(url, ada, { url: agent.url });
  const standing = async (): Promise<AgentRanking> =>
    (await (await fetch(`${url}/api/agents/${slug}/standing`)).json()) as AgentRanking;
  await waitFor(async () => (await standing()).health === 'healthy', { what: 'the first check' });
  await query('test-older-check', `UPDATE probe_state SET checked_at = checked_at - interval '1 minute'`);
  await agent.stop();
  const connection = { url: `${url}/agents/${slug}/a2a/jsonrpc`, token: await tokenFor(url, ada, slug) };
  await rpc(connection, 'message/send', message03('Are you there?'));
  await waitFor(async () => (await standing()).health === 'degraded', { what: 'the second check', timeout: 15_000 });
  const { uptime } = await standing();
  expect(uptime?.share).toBeLessThan(1);
});
