import type { OwnAgent } from '../catalog/schema';

/** A call of an agent that failed, as its owner sees it. */
export interface FailedCall {
  at: string;
  code: string;
  message: string;
  requestId: string;
}

/** A listing with how it has been doing. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, when there was one. */
  lastFailure: FailedCall | null;
}

/** Everything that the console shows of one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: FailedCall[];
}
