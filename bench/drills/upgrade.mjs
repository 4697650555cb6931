// Two nodes are upgraded one by one to a next release with a new table, column and concurrent index, and rolled back
// one by one, under 100 calls per second; the agent takes 8 s for a quarter of them. Then the cases that must be
// refused.
import { readRelease } from '../../scripts/release.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { startBalancer } from './lib/balancer.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { createRelease } from './lib/release-tree.mjs';
import { startCalls } from './lib/steady-calls.mjs';
import { wait } from './lib/wait.mjs';

const perSecond = 100;
const settleMs = 3_000;
const { release } = readRelease();
const [major, minor] = release.split('.').map(Number);
const nextVersion = `${major}.${minor + 1}.0`;
const lastVersion = `${major}.${minor + 2}.0`;

const expansion = {
  sql: 'CREATE TABLE drill_note (id TEXT PRIMARY KEY); ALTER TABLE task ADD COLUMN drill_note_id TEXT; ALTER TABLE agent ADD COLUMN drill_note_id TEXT;',
  concurrentSql: 'CREATE INDEX CONCURRENTLY task_drill_note_idx ON task (drill_note_id);',
};
const contraction = { sql: `-- contract: unused since ${nextVersion}\nDROP TABLE drill_note;` };
const next = createRelease({ version: nextVersion, oldestPeer: release, migrations: { '9001_expand': expansion } });
const last = createRelease({
  version: lastVersion,
  oldestPeer: release,
  migrations: { '9001_expand': expansion, '9002_contract': contraction },
});

const agent = await startPeer('slow-agent');
const parley = await startParley({
  people: 60,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  env: { SHUTDOWN_DELAY_SECONDS: '2', DRAIN_SECONDS: '20' },
});
const balancer = startBalancer([parley, await parley.another()]);

async function replaceBoth(root, label, figure) {
  for (const at of [1, 2]) {
    const ms = await balancer.replaceOldest(() => parley.another({}, root));
    figure(`${label}, node ${at}`, `exited after ${(ms / 1_000).toFixed(1)} s`);
    await wait(settleMs);
  }
}

await drill('An upgrade node by node, and its rollback, fail no call', async ({ figure, check }) => {
  const turns = rounds(3);
  const tokens = await parley.tokens();
  const { host } = new URL(parley.origin);
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const calls = startCalls({ balancer, path, host, tokens, perSecond, slowEvery: 4 });
  for (let turn = 1; turn <= turns; turn++) {
    await wait(settleMs);
    const startedAt = performance.now();
    const { succeeded, output } = await next.migrate(parley.databaseUrl);
    figure(`migrations of ${nextVersion}, s`, ((performance.now() - startedAt) / 1_000).toFixed(1));
    check(`${nextVersion} migrates while ${release} serves`, succeeded || output);
    await replaceBoth(next.root, `upgrade ${turn}`, figure);
    await replaceBoth(undefined, `rollback ${turn}`, figure);
  }
  const { calls: sent, failed, reasons } = await calls.stop();
  figure('upgrades with rollback', turns);
  figure('calls', sent);
  figure('failed calls', failed);
  check('no call failed', failed === 0 || `${failed} failed: ${reasons.join('; ')}`);

  const refused = await last.migrate(parley.databaseUrl);
  const isRefused = !refused.succeeded && refused.output.includes(`2 running nodes of release ${release}`);
  figure('refusal', refused.output.split('\n').at(-1));
  check('a contract migration is refused while nodes live that use what it removes', isRefused || refused.output);
  await replaceBoth(next.root, 'upgrade to contract', figure);
  const contracted = await last.migrate(parley.databaseUrl);
  check('it is applied once they are upgraded', contracted.succeeded || contracted.output);
  const started = await parley.another().then(
    () => 'it started',
    ({ message }) => message,
  );
  check('a node that is too old does not start', started === 'Parley exited with 1' || started);
});
balancer.stop();
for (const { stop } of [parley, agent]) await stop();
for (const { remove } of [next, last]) remove();
