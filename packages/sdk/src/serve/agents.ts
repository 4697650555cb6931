import type { Part, StreamEvent } from '../wire.js';
import type { AgentReply } from './agent-reply.js';

/** An agent of the catalog, as described by Parley's API. */
export interface FoundAgent {
  slug: string;
  name: string;
  description: string;
  /** Whether the agent fits the query, might fit, or is only one of the closest; null without words. */
  fit: 'fits' | 'might_fit' | 'closest' | null;
  /** The skill whose texts match best; null for an agent that is only one of the closest. */
  matchedSkill: string | null;
  [member: string]: unknown;
}

export interface SearchOptions {
  /** 1 to 50; defaults to 10. */
  limit?: number;
  /** Words that the agent's texts must contain in addition to those of the query. */
  skill?: string;
  health?: 'healthy' | 'degraded' | 'down' | 'unknown';
}

/** A message to another agent; a string is short for `{ text }`. */
export interface DelegatedMessage {
  text?: string;
  /** Files and data, after the text. */
  parts?: Part[];
  /** The conversation to continue. */
  contextId?: string;
  /** The task that the message answers. */
  taskId?: string;
  /** Metadata of the request. */
  metadata?: Record<string, unknown>;
}

export interface DelegateOptions {
  /** Called with each event as it arrives. After a reconnect, the first event is the current task. */
  onEvent?: (event: StreamEvent) => void;
  /** Cancels only this call; the turn's signal cancels all of its calls. */
  signal?: AbortSignal;
}

/**
 * The other agents of this Parley, called through it on behalf of the caller of a turn. Methods throw `ParleyError`.
 */
export interface Agents {
  /** Returns public agents, best first. */
  search(query: string, options?: SearchOptions): Promise<{ items: FoundAgent[]; total: number }>;
  /**
   * Sends a message and waits until the agent has answered or asks a question. This can take long, because the user may
   * first have to approve that this agent hires the other one.
   */
  send(agent: string, message: string | DelegatedMessage, options?: DelegateOptions): Promise<AgentReply>;
}
