import { processSingleton } from '../platform/singleton';
import type { TaskState } from '../protocol/a2a/core/model';

/** An agent that a search found. */
export interface FoundAgent {
  slug: string;
  name: string;
  description: string;
  skills: { id: string; name: string; description: string; tags: string[] }[];
  /** The skill that matched best, or the first; null for an agent without skills. */
  bestSkillId: string | null;
  /** The agent's score, 0 to 1. */
  score: number;
}

/** A message from one agent to another. */
export interface AgentSend {
  /** The id of the sending agent. */
  from: string;
  /** The slug of the other agent. */
  to: string;
  text: string;
  skillId?: string;
  contextId?: string;
  taskId?: string;
}

/** A task that an agent has given to another. */
export interface SentTask {
  taskId: string;
  contextId: string;
  /** Resolves at the end of the turn, or with the state reached when the wait ends. Never rejects. */
  outcome: Promise<{ state: TaskState; text: string }>;
}

/** What agents may do with other agents. The gateway implements it. */
export interface AgentCalls {
  search: (input: { query: string; limit: number }) => Promise<FoundAgent[]>;
  /**
   * Sends a message as the app of the sending agent. The outcome is awaited until `signal` aborts.
   * @throws {ParleyError} `forbidden` for an agent without an app; `agent_not_found`; what a send throws
   */
  send: (input: AgentSend, signal: AbortSignal) => Promise<SentTask>;
}

function holder(): { calls: AgentCalls | null } {
  return processSingleton('hub-agent-calls', () => ({ calls: null }));
}

export function setAgentCalls(calls: AgentCalls): void {
  holder().calls = calls;
}

/** @throws {Error} before the node has started */
export function agentCalls(): AgentCalls {
  const { calls } = holder();
  if (!calls) throw new Error('the hub has no calls to agents');
  return calls;
}
