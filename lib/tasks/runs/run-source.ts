import type { AgentRecord } from '../../catalog';
import type { Trace } from '../../platform/context';
import type { ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import type { Message, Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import type { RunHandle } from '../active/run-handle';
import type { Normalizer } from '../log/normalizer';
import type { EventCursor, TaskWriter } from '../log/task-writer';
import type { NewHubRun } from '../store/hub-runs';
import type { CancelRequest } from '../store/pending-cancel-rows';
import type { TaskRecord } from '../store/records';
import type { SendInput } from './send-input';

/**
 * Executes the turns of an agent. `lib/tasks/sources` implements it for agents with a public URL, for agents that
 * connect to Parley, and for agents that run inside Parley; only `runSourceOf` there chooses between them.
 */
export interface RunSource {
  /**
   * Checks whether a send may wait for the agent. Absent if a turn begins immediately.
   * @throws {ParleyError} `agent_offline`, `unavailable`
   */
  admit?: (agent: AgentRecord, release: () => void, now: Date) => Promise<QueuedSend>;
  /**
   * Executes a turn to its end: sends the message, or continues a turn that another node began.
   * @throws the reason why the turn failed
   */
  perform: (state: RunState) => Promise<void>;
  /**
   * Follows a turn whose stream ended or broke before the turn did. Absent if no stream stays open after a question.
   * @throws the errors of `perform`
   */
  resume?: (state: RunState) => Promise<void>;
  /** The position in the agent's events that is persisted with the events of the task, if the agent counts them. */
  cursor?: EventCursor;
  /**
   * Reads the task from the agent; null if it has no id there, or the response is not a task.
   * @throws the error of the call
   */
  read: (input: AgentTaskRequest) => Promise<Snapshot | null>;
  /**
   * Requests that the agent stop working on the task.
   * @throws {ParleyError} `task_not_cancelable` if the agent rejects the cancel
   */
  cancel: (input: CancelCall) => Promise<CancelAnswer>;
  /** Continues a run whose node died or lost the database. Absent if the task and its events suffice. */
  recover?: (record: TaskRecord) => Promise<void>;
}

export interface Run {
  /** The record written by the code that starts the run: `runNode` is this node, `lastSeq` the task's last event. */
  record: TaskRecord;
  agent: AgentRecord;
  /** The folded task, kept up to date by the run. */
  task: Task;
  requestId: string;
  /** The trace of the request that started the run. */
  trace?: Trace;
  /** The message to send; absent in a resumed run, which never resends. */
  send?: { message: Message; acceptedOutputModes?: string[]; metadata?: JsonObject };
  /** The extensions that the send requests. */
  extensions?: ExtensionUse;
  /** The send's stored key (within the caller's delegation). */
  idempotencyKey?: string;
  source: RunSource;
}

/** State shared by the steps of a run. */
export interface RunState {
  run: Run;
  handle: RunHandle;
  normalizer: Normalizer;
  writer: TaskWriter;
  signal: AbortSignalLike;
  token: () => string | Promise<string>;
  /** True if the send may have reached the agent although its connection broke. */
  mayHaveArrived?: boolean;
  /**
   * True if the task was canceled before the agent assigned an id. The run only waits for that id to request the
   * cancel.
   */
  isUnnamed?: boolean;
  /** The rest of a stream that the agent left open after asking for input, because it may continue on its own. */
  trailingBatches?: AsyncIterator<AgentItem[]>;
}

/** A send whose run may wait until the agent is online. */
export interface QueuedSend {
  /** True if the agent is offline, so that the task's status states that it waits. */
  readonly offline: boolean;
  /** The run, to be written with its task. */
  prepare: (input: Pick<SendInput, 'agent' | 'request'>, turn: QueuedTurn) => NewHubRun;
  /** Executes the prepared run, once it is written; undefined for a run that waits. */
  readonly source: RunSource | undefined;
  /** Must be called if the send did not start a run. */
  cancel: () => void;
}

/** A turn of a task, and our id of its context for the agent. */
export interface QueuedTurn {
  principal: string;
  taskId: string;
  contextId: string;
  ownContextId: string;
  message: Message;
  turnSeq: number;
}

/** The agent's view of a task, with our ids for referenced tasks. */
export type Snapshot = AgentItem & { type: 'task' };

export interface AgentTaskRequest {
  record: TaskRecord;
  agent: AgentRecord;
  requestId: string;
  /** The extensions that the run requests; those that the card requires are always requested. */
  extensions?: ExtensionUse;
  signal: AbortSignalLike;
  /** True to omit the call from the owner's log and from the circuit breaker's failures. */
  quiet?: boolean;
}

/** A cancel of a task that has not ended. */
export interface CancelCall {
  agent: AgentRecord;
  record: TaskRecord;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
  /** Timeout of the agent's response, milliseconds. */
  timeoutMs?: number;
  requestId: string;
  trace?: Trace;
  /** Cancels the tasks for which this one waits. */
  cancelHired: () => Promise<void>;
}

/** The result of a cancel at the agent. */
export interface CancelOutcome {
  /** The agent's response; null if the request could not be sent. */
  answer: AgentItem[] | null;
  /** True if the agent has not assigned a task id; the request is sent once it does. */
  isPending?: boolean;
  /** The caller's reason: the message of the canceled status if the agent gives none. */
  reason?: string;
}

/** The result of the request to the agent, and its meaning for the task and the run. */
export interface CancelAnswer extends CancelOutcome {
  /** True if the response is not final: the agent's stream, or its worker, may still end the task. */
  isOpen?: boolean;
  /** True if the run has nothing to persist, and reads the canceled task instead. */
  hasNotBegun?: boolean;
  /** The request that is sent once the agent has assigned a task id. */
  pending?: CancelRequest;
  /** The reason why the agent rejected the cancel of a task that it has ended. */
  rejection?: ParleyError;
  /** True to end the stored run, for an agent that connects to Parley. */
  isHub?: boolean;
}
