import type { AgentRecord } from '../../catalog';
import type { Trace } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { applyEvent, type TaskEvent } from '../../protocol/a2a/core/events';
import type { Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import { readStream, write } from '../runs/agent-output';
import type { RunSource, RunState } from '../runs/run-source';
import type { TaskRecord } from '../store/records';
import { resumeRun } from './resume-run';

/** One turn of a built-in agent. */
export interface BuiltInTurn {
  record: TaskRecord;
  agent: AgentRecord;
  /** The task with its events so far. The last user message in its history is the caller's. */
  task: Task;
  /** The metadata of the request; absent if this node continues a turn of another node. */
  metadata?: JsonObject;
  /** True if another node, or this one before a restart, started the turn. */
  isResumed: boolean;
  requestId: string;
  trace?: Trace;
  signal: AbortSignalLike;
  /** Adds members to the task's metadata. Resolves when they are persisted. */
  annotate: (metadata: JsonObject) => Promise<void>;
}

/** An agent that Parley runs itself. */
export interface BuiltInAgent {
  slug: string;
  /**
   * Yields the agent's output for a turn, with the task's own id. The output may continue after a question that
   * requires no answer. If the node dies, the turn is executed again, from the task's metadata.
   */
  answer: (turn: BuiltInTurn) => AsyncGenerator<AgentItem[]>;
  /** Returns the state of a task that waits for its caller if it has changed in the meantime; otherwise null. */
  read: (task: { record: TaskRecord; agent: AgentRecord }) => Promise<(AgentItem & { type: 'task' }) | null>;
}

const registry = new Map<string, BuiltInAgent>();

/** Registers the implementation of a built-in agent. */
export function setBuiltInAgent(agent: BuiltInAgent): void {
  registry.set(agent.slug, agent);
}

/**
 * Returns the implementation of a built-in agent.
 * @throws {ParleyError} `agent_unreachable` if this node does not run it
 */
function builtInAgent({ slug }: Pick<AgentRecord, 'slug'>): BuiltInAgent {
  const agent = registry.get(slug);
  if (agent) return agent;
  throw new ParleyError('agent_unreachable', 'This agent is turned off on this site.');
}

/** Executes the turns of agents that run inside Parley. */
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
