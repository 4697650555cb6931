// PostgreSQL restarts (fast and immediate), is down for 20 s, and moves to another address, under load on two nodes.
import pg from 'pg';
import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { findLost, startIntrospections, startWrites } from './lib/ledger.mjs';
import { controlPostgres } from './lib/postgres.mjs';
import { completedTask, respondAtOnce, sendJson, startScriptedAgent } from './lib/scripted-agent.mjs';
import { startProxy } from './lib/tcp-proxy.mjs';
import { wait } from './lib/wait.mjs';

const settleMs = 8_000;
const outageMs = 20_000;
const maxRecoveryMs = 5_000;

const agent = await startScriptedAgent({
  name: 'Database',
  streaming: false,
  handle: ({ rpc, response }) => {
    if (!rpc.params?.message) return respondAtOnce({ rpc, response });
    setTimeout(() => sendJson(response, completedTask(rpc)), 5);
    return true;
  },
});
const proxy = await startProxy();
let proxiedUrl;
const parley = await startParley({
  people: 4,
  agentUrl: agent.url,
  through(url) {
    proxiedUrl = proxy.urlOf(url);
    return proxiedUrl;
  },
  env: { LOG_LEVEL: 'silent' },
});
const other = await parley.another();
const postgres = controlPostgres(parley.dataDir);
const { slug, app, accessToken } = parley;
const origins = () => [parley.origin, other.origin];
const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;

/** Port of the database after its move. */
let port;

const faults = {
  'restart (fast)': () => postgres.restart('fast'),
  'restart (immediate)': () => postgres.restart('immediate'),
  'outage of 20 s': async () => {
    await postgres.stop('fast');
    await wait(outageMs);
    await postgres.start(port);
  },
  'failover to another address': async () => {
    port = await freePort();
    await postgres.stop('immediate');
    await postgres.start(port);
    proxy.moveTo(port);
  },
};

const form = (path, fields, origin = parley.origin) =>
  fetch(`${origin}${path}`, { method: 'POST', headers: { authorization: basic }, body: new URLSearchParams(fields) });

async function issue() {
  const fields = { grant_type: 'client_credentials', resource: `${parley.origin}/agents/${slug}` };
  const response = await form('/api/auth/token', fields).catch(() => null);
  return response?.ok ? (await response.json()).access_token : null;
}

async function revoke(token) {
  const response = await form('/api/auth/revoke', { token }, other.origin).catch(() => null);
  return response?.status === 200;
}

async function query(sql, values) {
  const client = new pg.Client({ connectionString: proxiedUrl });
  await client.connect();
  const { rows } = await client.query(sql, values);
  await client.end();
  return rows;
}

await drill(
  'The database fails: no wrong answer, nothing acknowledged lost, back within 5 s',
  async ({ figure, check }) => {
    const tokens = await parley.tokens();
    const writes = startWrites({ origins, slug, tokens, accessToken });
    const { ledger } = writes;
    const introspections = startIntrospections({ origins, app, good: tokens, issue, revoke });
    const { answers } = introspections;
    await wait(settleMs);
    let worst = 0;
    for (let round = 1; round <= rounds(3); round++) {
      for (const [name, cause] of Object.entries(faults)) {
        const before = ledger.sent.size;
        await cause();
        const availableAt = performance.now();
        await wait(settleMs);
        const recovery = Math.max(ledger.lastUnservedAt, answers.lastUnservedAt, availableAt) - availableAt;
        worst = Math.max(worst, recovery);
        figure(
          `${round}: ${name}`,
          `served again after ${(recovery / 1_000).toFixed(2)} s; ${ledger.sent.size - before} messages`,
        );
      }
    }
    await writes.stop();
    await introspections.stop();
    const lost = await findLost(ledger, { origin: other.origin, slug, query });
    const repeated = agent.received.length - new Set(agent.received).size;
    const [{ sound }] = await query('SELECT count(*) AS sound FROM task WHERE run_node IS NOT NULL', []);
    figure(
      'acknowledged messages, apps, revocations',
      `${ledger.sent.size}, ${ledger.created.length}, ${introspections.revoked.length}`,
    );
    figure('introspections right, not served', `${answers.right}, ${answers.unserved}`);
    figure('writes not served at first', `${ledger.unserved} of ${ledger.attempts}`);
    figure('longest recovery, s', (worst / 1_000).toFixed(2));
    for (const [text, count] of ledger.unexpected) figure('unexpected', `${count} × ${text}`);
    check(
      'no introspection was wrong',
      answers.wrong.length === 0 || `${answers.wrong.length}: ${answers.wrong.slice(0, 3).join('; ')}`,
    );
    check('no acknowledged write is lost', lost.length === 0 || `${lost.length}: ${lost.slice(0, 3).join('; ')}`);
    check('the agent received each message once', repeated === 0 || `${repeated} again`);
    check('no run is left behind', Number(sound) === 0 || `${sound} tasks`);
    check('both nodes serve again within 5 s', worst <= maxRecoveryMs || `${(worst / 1_000).toFixed(2)} s`);
  },
);
for (const { stop } of [parley, agent, proxy]) await stop();
