import { pauseUntilPushed } from '../push/agent-push';
import { type RunState, readAll } from '../run-state';

const firstMs = 250;
const longestMs = 2_000;

/** Asks an agent that cannot stream for its task, at growing intervals and whenever it pushes, until its turn is over. */
export async function pollAgent(state: RunState): Promise<void> {
  const { normaliser, signal, writer } = state;
  for (let wait = firstMs; !normaliser.over && !writer.overtaken; wait = Math.min(wait * 1.5, longestMs)) {
    await pauseUntilPushed(state.run.record.id, wait, signal);
    await readAll(state, { op: 'get', taskId: normaliser.upstreamTaskId ?? '' });
  }
}
