import type { Part, StreamEvent } from '../wire.js';
import type { AgentReply } from './agent-reply.js';

/** An agent of the catalog, as Parley's API describes it. */
export interface FoundAgent {
  slug: string;
  name: string;
  description: string;
  /** The skill whose texts matched best. */
  matchedSkill: string | null;
  [member: string]: unknown;
}

export interface SearchOptions {
  /** 1 to 50; defaults to 10. */
  limit?: number;
  /** Words that the agent's texts must have besides those of the query. */
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
  /** The task that it answers. */
  taskId?: string;
  /** Metadata of the request. */
  metadata?: Record<string, unknown>;
}

export interface DelegateOptions {
  /** Called with each event as it comes. After a reconnect it begins with the task as it is then. */
  onEvent?: (event: StreamEvent) => void;
  /** Cancels this call alone; the turn's signal cancels all of its calls. */
  signal?: AbortSignal;
}

/** The other agents of this Parley, called through it for the caller of a turn. Methods throw `ParleyError`. */
export interface Agents {
  /** Public agents, best first. */
  search(query: string, options?: SearchOptions): Promise<{ items: FoundAgent[]; total: number }>;
  /**
   * Sends a message and waits until the agent has answered, or asks something. A person may be asked first whether this
   * agent may hire the other one, so it can take long.
   */
  send(agent: string, message: string | DelegatedMessage, options?: DelegateOptions): Promise<AgentReply>;
}
