import { declarePort } from '../platform/runtime/port';
import type { TaskState } from '../protocol/a2a/core/model';
import type { AgentSearchParams } from '../protocol/hub/hub-schema';
import type { JsonObject } from '../protocol/json';
import type { DeliveredRun, Delivery, OfferedRun } from './delivery';

/** The durable runs of agents that connect to Parley. */
export interface HubRuns {
  /** Claims waiting runs of an agent for this node, oldest first: each run is claimed once. */
  claim: (agentId: string, limit: number) => Promise<OfferedRun[]>;
  /** Finds those of these agents that have waiting runs. */
  findWaiting: (agentIds: string[]) => Promise<string[]>;
  /** Returns a claimed run to the waiting state, because no worker could accept it. */
  release: (run: OfferedRun) => Promise<void>;
  /** Executes a run with its delivery. Never throws. */
  execute: (delivery: Delivery) => Promise<void>;
  /** True if this node executes the task's run. */
  isOwn: (taskId: string) => Promise<boolean>;
  /**
   * Moves an accepted run to this node, because its worker reconnected here; null if it has ended or was offered again.
   */
  takeOver: (
    run: Pick<DeliveredRun, 'taskId' | 'turnSeq' | 'agentId' | 'workerId' | 'epoch'>,
  ) => Promise<DeliveredRun | null>;
}

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

/** The agent that calls others, and the credential with which its worker connected. */
export interface CallingAgent {
  agentId: string;
  credentialId: string;
}

/** A message from one agent to another. */
export interface AgentSend {
  from: CallingAgent;
  /** The slug of the other agent. */
  to: string;
  /** An A2A 1.0 SendMessageRequest. */
  request: JsonObject;
  /**
   * The task on behalf of whose caller the agent sends, which this node runs. If null, the agent sends as its own app.
   */
  parentTaskId: string | null;
}

/** A task that an agent has sent to another agent. */
export interface SentTask {
  taskId: string;
  contextId: string;
  /** The task when it was sent, in A2A 1.0. */
  task: JsonObject;
  /**
   * Yields the events that follow, as A2A 1.0 StreamResponses, until the turn ends or `signal` aborts.
   * @throws {ParleyError} the reason why the turn failed without a response from the agent; {@link HubError}
   *   `caller_ended`
   */
  events: (signal: AbortSignal) => AsyncGenerator<JsonObject>;
  /** Returns the state at the end of the turn, or when the wait ends. Never rejects. */
  outcome: (signal: AbortSignal) => Promise<{ state: TaskState; text: string }>;
}

/** The operations of agents on other agents. */
export interface AgentCalls {
  /** Returns `items`, `total`, `semantic` and `isWeak` of the page of `GET /api/agents`, with public agents only. */
  search: (input: AgentSearchParams) => Promise<JsonObject>;
  /** The result of `search`, with the skills of each agent. */
  find: (input: { query: string; limit: number }) => Promise<FoundAgent[]>;
  /**
   * Sends a message; resolves when the task is persisted. It may wait for the user's approval until `signal` aborts.
   * @throws {HubError} `unknown_run`, `no_person`, `hiring_refused`, `caller_ended`, `no_app`
   * @throws {ProtocolError} `invalid_params`
   * @throws {ParleyError} `agent_not_found`, `invalid_target`; the errors of a send
   */
  send: (input: AgentSend, signal: AbortSignal) => Promise<SentTask>;
  /**
   * Cancels a task that the agent has sent, and returns it in A2A 1.0.
   * @throws {ParleyError} `task_not_found`, also for tasks that it has not sent; `task_not_cancelable`
   */
  cancel: (input: { from: CallingAgent; taskId: string }) => Promise<JsonObject>;
}

/**
 * The functions of lib/tasks that the hub uses: the runs that its workers execute, and the operations of agents on
 * other agents.
 */
export const hubPort = declarePort<{ runs: HubRuns; agents: AgentCalls }>('hub');

export function runSource(): HubRuns {
  return hubPort.operations().runs;
}

export function agentCalls(): AgentCalls {
  return hubPort.operations().agents;
}
