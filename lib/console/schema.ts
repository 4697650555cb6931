import type { OwnAgent } from '../catalog/schema';
import type { CallFailure } from '../observability/schema';

/** A call of an agent, as its owner sees it. */
export interface LoggedCall {
  id: string;
  at: string;
  /** Milliseconds until its answer was over. */
  ms: number;
  /** Method of the wire, such as `message/stream`; empty when the agent was not called. */
  method: string;
  /** Version and binding that the agent was called in. */
  dialect: string;
  requestId: string;
  /** Why it failed and what went over the wire; null when it went well. */
  failure: CallFailure | null;
}

/** A listing with how it has been doing. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, when there was one. */
  lastFailure: LoggedCall | null;
}

/** Everything that the console shows of one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: LoggedCall[];
}

/** The log of one agent. */
export interface AgentLog {
  agent: OwnAgent;
  /** Newest first. */
  calls: LoggedCall[];
}
