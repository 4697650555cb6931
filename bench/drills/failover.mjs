// Patroni replaces the primary of the database: after a crash, the death, freeze or isolation of its machine, and on
// request. One node finds the primary in a list of hosts, the other one through HAProxy. With DRILL_REPLICATION=asynchronous,
// acknowledged writes may be lost, and only the rest is checked.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/program.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { systemPostgres } from './lib/cluster.mjs';
import { drill, rounds, skipUnless } from './lib/drill.mjs';
import { startFailoverLoad } from './lib/failover-load.mjs';
import { findLost } from './lib/ledger.mjs';
import { hasSafePatroni, startPatroni } from './lib/patroni.mjs';
import { isInstalled } from './lib/processes.mjs';
import { completedTask, respondAtOnce, sendJson, startScriptedAgent } from './lib/scripted-agent.mjs';
import { auditLedger, startStripe } from './lib/stripe.mjs';
import { until, wait } from './lib/wait.mjs';

skipUnless(
  ['etcd', 'haproxy'].every(isInstalled) && hasSafePatroni() && systemPostgres() !== null,
  'needs Patroni 4, etcd, HAProxy and PostgreSQL: apt-get install patroni etcd-server haproxy postgresql (Debian 13)',
);
const people = 6;
const isSynchronous = process.env.DRILL_REPLICATION !== 'asynchronous';
const settleMs = 5_000;
const maxRecoveryMs = 10_000;
/** A stalled run is found within 15 s, and its worker reconnects within seconds. */
const settleRunsMs = 45_000;
const maxPlannedMs = 5_000;

const faults = {
  crashed: { cause: (server) => server.crash(), repair: () => undefined },
  killed: { cause: (server) => server.kill(), repair: (server) => server.start() },
  frozen: { cause: (server) => server.freeze(), repair: (server) => server.resume() },
  'cut off': { cause: (server) => server.cut(), repair: (server) => server.restore() },
  'switched over': { cause: (server) => cluster.switchOver(server), repair: () => undefined, isPlanned: true },
};

const wanted = process.env.DRILL_FAULTS?.split(',');
const chosen = Object.entries(faults).filter(([name]) => !wanted || wanted.includes(name));

const cluster = await startPatroni({ isSynchronous });
const agent = await startScriptedAgent({
  name: 'Failover',
  streaming: false,
  handle: ({ rpc, response }) => {
    if (!rpc.params?.message) return respondAtOnce({ rpc, response });
    setTimeout(() => sendJson(response, completedTask(rpc)), 5);
    return true;
  },
});
const numbered = await startPeer('numbered-agent');
const stripe = await startStripe();
const parley = await startParley({
  people,
  agentUrl: agent.url,
  database: { url: cluster.url, stop: cluster.stop },
  through: () => cluster.listUrl,
  env: { ...stripe.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
});
const other = await parley.another({ DATABASE_URL: cluster.url });

async function auditMark(mark) {
  const args = ['scripts/cli/main.mjs', 'audit', ...(mark ? [mark] : [])];
  const env = { ...parley.variables, DATABASE_URL: cluster.listUrl };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return / mark (\S+)/.exec(stdout)[1];
}

/** Replaces the primary once; returns the time from the first write on the new one until both nodes serve. */
async function replacePrimary({ cause, repair }) {
  const former = await cluster.untilPrimary({ isWhole: true });
  const replaced = cluster.untilPrimary({ former });
  await cause(former);
  await replaced;
  const availableAt = performance.now();
  const recoveryMs = (await load.untilServed()) - availableAt;
  await repair(former);
  await cluster.untilPrimary({ isWhole: true });
  await wait(settleMs);
  return recoveryMs;
}

let load;

await drill(
  'The primary of the database is replaced: nodes serve again, nothing acknowledged is lost',
  async (report) => {
    const { figure, check } = report;
    const numberedUrl = `http://127.0.0.1:${numbered.info.port}`;
    load = await startFailoverLoad({ parley, other, stripe, numberedUrl, people });
    const { ledger, answers, streams, starts, paid, client } = load;
    await wait(settleMs);
    const { replication } = await (await fetch(`${other.origin}/readyz`)).json();
    check(
      'a node knows the replication',
      replication === (isSynchronous ? 'synchronous' : 'asynchronous') || replication,
    );
    const worst = { planned: 0, unplanned: 0 };
    let mark = await auditMark();
    const broken = [];
    for (let round = 1; round <= rounds(4); round++) {
      for (const [name, fault] of chosen) {
        const recoveryMs = await replacePrimary(fault);
        const kind = fault.isPlanned ? 'planned' : 'unplanned';
        worst[kind] = Math.max(worst[kind], recoveryMs);
        figure(`${round}: ${name}`, `served ${(recoveryMs / 1_000).toFixed(2)} s after the new primary`);
        mark = await auditMark(isSynchronous ? mark : undefined).catch((error) => {
          broken.push(String(error.stderr ?? error).slice(0, 200));
          return undefined;
        });
      }
    }
    await load.stop();
    const query = async (sql, values) => (await client.query(sql, values)).rows;
    const findRuns = () =>
      query(
        `SELECT t.id, t.state, t.state_at, t.run_node, t.last_seq, h.state AS hub, h.seen, h.attempt
         FROM task t LEFT JOIN hub_run h ON h.task_id = t.id WHERE t.run_node IS NOT NULL`,
        [],
      );
    const haveEnded = async () => (await findRuns()).length === 0;
    await until(haveEnded, { withinMs: settleRunsMs, what: 'the runs to end' }).catch(() => undefined);
    const left = await findRuns();
    const lost = await findLost(ledger, { origin: other.origin, slug: parley.slug, query });
    const repeated = agent.received.length - new Set(agent.received).size;
    const twice = [...starts.values()].filter((count) => count > 1).length;
    const counts = [ledger.sent.size, ledger.created.length, load.revoked.length, streams.exact, paid.size];
    figure('acknowledged messages, apps, revocations, streams, payments', counts.join(', '));
    figure('streams that ended as failed', streams.failed);
    figure('introspections right, not served', `${answers.right}, ${answers.unserved}`);
    figure('writes not served at first', `${ledger.unserved} of ${ledger.attempts}`);
    for (const [text, count] of ledger.unexpected) figure('unexpected', `${count} × ${text}`);
    check('no run is left behind', left.length === 0 || JSON.stringify(left));
    check('no run of a connected agent failed', streams.failedConnected === 0 || `${streams.failedConnected}`);
    check('served within 10 s of a new primary', worst.unplanned <= maxRecoveryMs || `${worst.unplanned} ms`);
    check('served within 5 s of a planned one', worst.planned <= maxPlannedMs || `${worst.planned} ms`);
    check('the ledger adds up to zero', await auditLedger(client, isSynchronous ? paid : new Map()));
    check('the agent received each message once', repeated === 0 || `${repeated} again`);
    check('no handler of a connected agent started twice', twice === 0 || `${twice} did`);
    if (!isSynchronous) return;
    check('no acknowledged write is lost', lost.length === 0 || `${lost.length}: ${lost.slice(0, 3).join('; ')}`);
    check('no introspection was wrong', answers.wrong.length === 0 || `${answers.wrong.length}: ${answers.wrong[0]}`);
    check('no event is lost or repeated', streams.wrong.length === 0 || `${streams.wrong.length}: ${streams.wrong[0]}`);
    check('the audit log is whole and has each entry', broken.length === 0 || broken[0]);
  },
);
await load?.client.end();
for (const { stop } of [parley, agent, numbered, stripe]) await stop();
