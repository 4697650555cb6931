// Latency that Parley adds to a message without other load: one connection, one message at a time. Compared with the
// latency added by a bare proxy and with a PostgreSQL commit of one row; a message waits for two commits. The measured
// process has its own core; load generator, agent and database share the other. Goal: at most three times the latency
// added by the bare proxy, plus two bare commits.
import { spawnSync } from 'node:child_process';
import { measureLoneMessages } from './lib/lone-message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

/** Messages per target; the warm-ups are not counted. */
const warmUps = 5_000;
const count = 5_000;
/** Minimum number of users for this many messages: the limit is ten per second and user. */
const people = 50;

/** Pins all threads of a process, and the processes that it starts later, to one core. */
function pin(core, pid) {
  const { status, stderr } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

pin(1, process.pid);
const agent = await startPeer('unary-agent');
const proxy = await startPeer('bare-pipe', [String(agent.info.port)]);
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
try {
  const tokens = await parley.tokens();
  for (const { pid } of [parley, proxy]) pin(0, pid);
  const { added, commit, direct } = await measureLoneMessages({ agent, proxy, parley, tokens, warmUps, count });
  const goal = 3 * added.proxy + 2 * commit;
  const us = (ms) => `${Math.round(ms * 1_000)} µs`;
  console.log(
    `one message at a time: Parley adds ${us(added.parley)}, a bare proxy ${us(added.proxy)}, a bare commit takes ` +
      `${us(commit)} (medians of ${count}; ${us(direct)} direct); goal <= ${us(goal)}`,
  );
  process.exitCode = added.parley <= goal ? 0 : 1;
} finally {
  for (const { stop } of [parley, proxy, agent]) await stop();
}
