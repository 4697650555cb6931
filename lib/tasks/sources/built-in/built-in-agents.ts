import { type AgentRecord, isBuiltInUrl } from '../../../catalog';
import type { Trace } from '../../../platform/context';
import { ParleyError } from '../../../platform/errors';
import type { AbortSignalLike } from '../../../platform/runtime/abort';
import type { Task } from '../../../protocol/a2a/core/model';
import type { AgentItem } from '../../../protocol/a2a/dialects';
import type { JsonObject } from '../../../protocol/json';
import type { TaskRecord } from '../../store/records';

/** One turn of a built-in agent. */
export interface BuiltInTurn {
  record: TaskRecord;
  agent: AgentRecord;
  /** The task with its events so far; the caller's message is the last of the user in its history. */
  task: Task;
  /** The metadata of the request; absent when a node continues the turn of another. */
  metadata?: JsonObject;
  /** True when another node, or this one before a restart, began the turn. */
  isResumed: boolean;
  requestId: string;
  trace?: Trace;
  signal: AbortSignalLike;
  /** Adds to the task's metadata. Resolves once it is persisted. */
  annotate: (metadata: JsonObject) => Promise<void>;
}

/** An agent that Parley runs itself. */
export interface BuiltInAgent {
  slug: string;
  /**
   * The agent's output of a turn, with the task's own id. It may continue after a question if no answer is required. If
   * the node dies, the turn is executed again, from the task's metadata.
   */
  answer: (turn: BuiltInTurn) => AsyncGenerator<AgentItem[]>;
  /** The state of a task that waits for its caller, if it has changed in the meantime; else null. */
  read: (task: { record: TaskRecord; agent: AgentRecord }) => Promise<(AgentItem & { type: 'task' }) | null>;
}

const registry = new Map<string, BuiltInAgent>();

/** Sets the implementation of a built-in agent. */
export function setBuiltInAgent(agent: BuiltInAgent): void {
  registry.set(agent.slug, agent);
}

/** True for an agent that Parley runs itself. */
export function isBuiltIn({ url }: Pick<AgentRecord, 'url'>): boolean {
  return isBuiltInUrl(url);
}

/** @throws {ParleyError} `agent_unreachable` when this node does not run it */
export function builtInAgent({ slug }: Pick<AgentRecord, 'slug'>): BuiltInAgent {
  const agent = registry.get(slug);
  if (agent) return agent;
  throw new ParleyError('agent_unreachable', 'This agent is turned off on this site.');
}
