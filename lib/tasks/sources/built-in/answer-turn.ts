import { ParleyError } from '../../../platform/errors';
import { applyEvent, type TaskEvent } from '../../../protocol/a2a/core/events';
import type { JsonObject } from '../../../protocol/json';
import type { RunSource, RunState } from '../../runs/run-source';
import { readStream, write } from '../../runs/run-state';
import { resumeRun } from '../http/resume-run';
import { type BuiltInTurn, builtInAgent } from './built-in-agents';

/** Agents that run in Parley. */
export const builtInSource: RunSource = {
  perform: answerTurn,
  // Fails after retries, as for an agent that cannot be reached: only the agent's own code can continue its output.
  resume: resumeRun,
  read: async ({ record, agent }) => builtInAgent(agent).read({ record, agent }),
  cancel: async ({ cancelHired }) => {
    await cancelHired();
    return { answer: [] };
  },
};

/**
 * Executes a turn of a built-in agent. Output after a question is also processed.
 * @throws {ParleyError} the errors of the agent
 */
async function answerTurn(state: RunState): Promise<void> {
  const { run, normalizer, handle } = state;
  handle.resumable = true;
  const batches = builtInAgent(run.agent).answer(toTurn(state));
  await readStream(state, batches);
  if (normalizer.turnEnded || state.writer.superseded) return;
  throw new ParleyError('internal', 'Something went wrong on our side: the answer is incomplete.');
}

function toTurn(state: RunState): BuiltInTurn {
  const { record, agent, task, requestId, trace, send } = state.run;
  return {
    ...{ record, agent, task, requestId, trace },
    metadata: send?.metadata,
    isResumed: send === undefined,
    signal: state.signal,
    annotate: (metadata) => annotate(state, metadata),
  };
}

async function annotate(state: RunState, metadata: JsonObject): Promise<void> {
  const { run, writer, normalizer } = state;
  normalizer.upstreamTaskId ??= run.record.id;
  const status = { state: 'working' as const, timestamp: new Date().toISOString() };
  const event: TaskEvent = { type: 'status', status, metadata, taskMetadata: metadata };
  applyEvent(run.task, event);
  await write(state, [event]);
  await writer.drained();
}
