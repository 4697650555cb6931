import type { CardReview, CardState, CredentialView, OwnAgent, OwnershipView } from '../catalog/schema';
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
  /** A newer card needs the owner's word. */
  cardWaits: boolean;
}

/** Everything that the console shows of one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: LoggedCall[];
  /** Set while the card cannot be fetched or read. */
  failing: CardState['failing'];
  /** The card that needs the owner's word, when there is one. */
  review: CardReview | null;
  /** What is stored for calls to it. */
  credential: CredentialView | null;
  /** The proof that its host is the person's; null once it is withdrawn. */
  ownership: OwnershipView | null;
}

/** A push that nobody took, as the person sees it who asked for it. */
export interface UndeliveredPush {
  id: string;
  taskId: string;
  /** Which event of the task it told. */
  seq: number;
  url: string;
  reason: string;
  /** What the receiver answered with last, when it answered. */
  httpStatus: number | null;
  attempts: number;
  at: string;
}

/** The log of one agent. */
export interface AgentLog {
  agent: OwnAgent;
  /** Newest first. */
  calls: LoggedCall[];
}
