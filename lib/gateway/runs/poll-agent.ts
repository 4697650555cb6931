import { waitForPush } from '../push/agent-push';
import { executeCall, type RunState } from './run-state';

const initialIntervalMs = 250;
const maxIntervalMs = 2_000;

/** Asks an agent that cannot stream for its task, at growing intervals and whenever it pushes, until its turn is over. */
export async function pollAgent(state: RunState): Promise<void> {
  const { normalizer: normaliser, signal, writer } = state;
  for (
    let interval = initialIntervalMs;
    !normaliser.turnEnded && !writer.superseded;
    interval = Math.min(interval * 1.5, maxIntervalMs)
  ) {
    await waitForPush(state.run.record.id, interval, signal);
    await executeCall(state, { op: 'get', taskId: normaliser.upstreamTaskId ?? '' });
  }
}
