// Failover of agents that connect: 20 streams of 1,000 numbered pieces through one worker, whose node is killed
// (SIGKILL) midway. The readers are connected to another node, to which the worker then connects.
import { startParley } from '../lib/parley.mjs';
import { connectWorker, listConnectedAgent, readAnswer } from './lib/connected-agent.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { until, wait } from './lib/wait.mjs';

const streams = 20;
const pieces = 1_000;
const pauseMs = 3;
const maxGapMs = 3_000;
const slug = 'counting';

const parley = await startParley({ people: streams });
const expectedText = Array.from({ length: pieces }, (_, at) => `${at};`).join('');

/** Kills the worker's node during its streams, which are read at the other node. */
async function kill(active, other, tokens) {
  const reading = tokens.map((token) => readAnswer(other.origin, { slug, token }));
  await wait(1_000 + Math.random() * 1_500);
  const { pid } = active;
  Object.assign(active, other);
  process.kill(pid, 'SIGKILL');
  const answers = await Promise.all(reading);
  return {
    gapMs: Math.max(...answers.map((answer) => answer.gapMs)),
    wrong: answers.filter(({ text, state }) => text !== expectedText || state !== 'TASK_STATE_COMPLETED').length,
  };
}

await drill('The node of a connected agent dies: its runs continue, every event once', async ({ figure, check }) => {
  const kills = rounds(20);
  let starts = 0;
  const active = { pid: parley.pid, origin: parley.origin };
  const worker = await connectWorker(parley, {
    agent: slug,
    token: await listConnectedAgent(parley, slug),
    pick: () => active.origin,
    capacity: streams,
    async *handle() {
      starts += 1;
      for (let at = 0; at < pieces; at++) {
        yield `${at};`;
        await wait(pauseMs);
      }
    },
  });
  await until(() => worker.state === 'online', { withinMs: 30_000, what: 'the worker' });
  const tokens = await parley.tokens(slug);
  const total = { gapMs: 0, wrong: 0 };
  for (let round = 1; round <= kills; round++) {
    const { gapMs, wrong } = await kill(active, await parley.another(), tokens);
    figure(`kill ${round}`, `longest gap ${(gapMs / 1_000).toFixed(2)} s, ${wrong} wrong`);
    total.gapMs = Math.max(total.gapMs, gapMs);
    total.wrong += wrong;
  }
  await worker.drain({ timeoutMs: 0 });
  const again = starts - kills * streams;
  figure('kills', kills);
  figure('streams', kills * streams);
  figure('longest gap, s', (total.gapMs / 1_000).toFixed(2));
  check('every reader has each piece once and in order', total.wrong === 0 || `${total.wrong} are wrong`);
  check('each handler started once', again === 0 || `${again} started again`);
  check('no gap exceeds 3 s', total.gapMs <= maxGapMs);
});
await parley.stop();
