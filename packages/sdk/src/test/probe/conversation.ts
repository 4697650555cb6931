import { applyEvent } from '../../serve/agent-reply.js';
import type { Message, Part, StreamEvent, Task, TaskState } from '../../wire.js';
import { isObject, type JsonObject, objectOf, parseJson } from '../json-value.js';
import { nameOf, type ProbeInterface } from './interfaces.js';
import { type Note, Notes } from './notes.js';
import { type AgentError, noteEncoding, noteFault, readEnvelope, readResponse } from './read-response.js';
import { readEvent, readTask } from './read-result.js';
import { type EncodedOperation, encodeOperation, type Operation } from './requests.js';
import type { ProbeResponse, Transport } from './transport.js';

/** What an agent answered to one request. */
export interface Reply {
  response: ProbeResponse;
  /** In the form of A2A 1.0. */
  events: StreamEvent[];
  /** The task after all events. */
  task: Task | null;
  message: Message | null;
  error: AgentError | null;
  notes: Note[];
}

/** Where requests go, and how. */
export interface Channel {
  target: ProbeInterface;
  transport: Transport;
  /** Sent with each request, such as a credential. */
  headers: Record<string, string>;
}

const RUNNING: ReadonlySet<TaskState> = new Set<TaskState>(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);
const WAITING: ReadonlySet<TaskState> = new Set<TaskState>(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);

/** Returns true while the agent works on the task. */
export function isRunning(task: Task | null): task is Task {
  return task !== null && RUNNING.has(task.status.state);
}

/** Returns true for a task that waits for the caller. */
export function isWaiting(task: Task | null): task is Task {
  return task !== null && WAITING.has(task.status.state);
}

/** Returns a message of the caller. */
export function messageOf(content: string | Part[], to: { taskId?: string; contextId?: string } = {}): Message {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...to };
}

export interface CallOptions {
  /** Names the request in findings. */
  where: string;
  /** Called after each event of a stream. */
  onTask?: (task: Task) => void;
  /** Ends the reading of a stream early. */
  until?: Promise<unknown>;
}

/** Calls one operation and reads the response. */
export async function call(
  channel: Channel,
  operation: Operation,
  { where, onTask, until }: CallOptions,
): Promise<Reply> {
  const { target, transport } = channel;
  const { limits } = transport.options;
  const request = encodeOperation(target, operation);
  const notes = new Notes(`${where} (${nameOf(target)})`);
  const reader = new EventReader(target, request, notes);
  const isSend = operation.op === 'send';
  const response = await transport.request(
    {
      ...request,
      headers: { ...channel.headers, ...request.headers },
      wholeMs:
        isSend || operation.op === 'stream' ? limits.answerMs + (until ? limits.settleMs : 0) : limits.firstByteMs,
      ...(until && { until }),
      ...(operation.op === 'stream' && {
        onEvent: (data: string) => {
          reader.readEvent(data);
          if (reader.task) onTask?.(reader.task);
        },
      }),
    },
    () => reader.isSettled,
  );
  if (response.fault) noteFault(response.fault, limits, notes);
  if (response.isStream) reader.end(response);
  else reader.readWhole(response, operation);
  const { events, task, message, error } = reader;
  return { response, events, task, message, error, notes: notes.all };
}

/** Reads the events of one response, and notes what is wrong with their order and ids. */
class EventReader {
  readonly events: StreamEvent[] = [];
  task: Task | null = null;
  message: Message | null = null;
  error: AgentError | null = null;
  isSettled = false;
  private isUnreadable = false;
  private hasFinal = false;

  constructor(
    private readonly target: ProbeInterface,
    private readonly request: EncodedOperation,
    private readonly notes: Notes,
  ) {}

  readEvent(data: string): void {
    const { version } = this.target;
    const value = parseJson(data);
    if (!isObject(value)) {
      const remedy = 'Send each event as one JSON object, in one or several data lines.';
      this.notes.add('streaming.events', { found: data, expected: 'a JSON object', remedy });
      return;
    }
    const result = this.unwrap(value);
    if (result === undefined) return;
    const event = readEvent(result, { version, notes: this.notes });
    if (!event) this.isUnreadable = true;
    else this.add(event, objectOf(result));
  }

  readWhole(response: ProbeResponse, { op }: Operation): void {
    const { result, error } = readResponse(response, this.request, this.notes);
    this.error = error;
    const reading = { version: this.target.version, notes: this.notes };
    if (result === undefined || op === 'extended-card' || op === 'set-push') return;
    const event = op === 'send' || op === 'stream' ? readEvent(result, reading) : readTask(result, reading);
    if (event) this.add(event, objectOf(result));
  }

  /** Notes what is wrong with a stream as a whole. */
  end({ contentType, fault, isUtf8, text }: ProbeResponse): void {
    if (!isUtf8) noteEncoding(text, this.notes);
    if (!/^text\/event-stream\s*(;|$)/i.test(contentType)) {
      const remedy = 'Send Content-Type: text/event-stream.';
      const found = contentType || 'no Content-Type';
      this.notes.add('streaming.content-type', { found, expected: 'text/event-stream', remedy });
    }
    if (fault || this.isUnreadable || this.error) return;
    if (this.events.length === 0) {
      const remedy = 'Send the task, or a message, as the first event.';
      this.notes.add('streaming.events', {
        found: `a stream without events: ${text}`,
        expected: 'at least one event',
        remedy,
      });
    } else if (!this.isSettled) this.noteOpenEnd();
    else if (this.target.version === '0.3' && !this.message && !this.hasFinal) {
      const remedy = 'Set final to true in the last status-update.';
      this.notes.add('streaming.end', { found: 'a last event without final', expected: 'final: true', remedy });
    }
  }

  private noteOpenEnd(): void {
    const found = `the stream ended while the task is in ${this.task?.status.state ?? 'no state'}`;
    const expected = 'a last event with a state in which the task is finished or asks for something';
    const remedy = 'Send the final state before you close the stream.';
    this.notes.add('streaming.end', { found, expected, remedy });
  }

  private unwrap(value: JsonObject): unknown {
    const { rpcId } = this.request;
    if (rpcId === null) return value;
    const { result, error } = readEnvelope(value, { status: 200, rpcId, notes: this.notes });
    this.error ??= error;
    return error ? undefined : result;
  }

  private add(event: StreamEvent, result: JsonObject): void {
    if (this.isSettled) {
      const remedy = 'Send nothing after the state that ends the turn.';
      this.notes.add('streaming.after-end', { found: result, expected: 'no further event', remedy });
      return;
    }
    const isFirst = this.events.length === 0;
    if (isFirst && !('task' in event) && !('message' in event)) {
      const remedy = 'Send the task as the first event.';
      // In 0.3, the first event may also be an update.
      if (this.target.version === '1.0')
        this.notes.add('streaming.events', {
          found: result,
          expected: 'a task or a message as the first event',
          remedy,
        });
    }
    this.noteIds(event);
    this.events.push(event);
    this.hasFinal ||= result.final === true || this.request.rpcId === null;
    if ('message' in event) this.message = event.message;
    else this.task = applyEvent(this.task ?? emptyTask(event), event);
    this.isSettled = this.message !== null || (this.task !== null && !isRunning(this.task));
    if ('task' in event) this.hasFinal ||= this.isSettled;
  }

  private noteIds(event: StreamEvent): void {
    if (!this.task || 'message' in event) return;
    const holder = 'task' in event ? { taskId: event.task.id, contextId: event.task.contextId } : idsOf(event);
    for (const [name, expected] of [
      ['taskId', this.task.id],
      ['contextId', this.task.contextId],
    ] as const) {
      if (holder[name] === expected) continue;
      const remedy = 'Send the ids of the task with each of its events.';
      this.notes.add('messages.ids', { found: `${name} ${holder[name]}`, expected: `${name} ${expected}`, remedy });
    }
  }
}

function idsOf(event: Exclude<StreamEvent, { task: Task } | { message: Message }>): {
  taskId: string;
  contextId: string;
} {
  return 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
}

function emptyTask(event: StreamEvent): Task {
  if ('task' in event) return event.task;
  const ids = 'message' in event ? { taskId: '', contextId: '' } : idsOf(event);
  return { id: ids.taskId, contextId: ids.contextId, status: { state: 'TASK_STATE_SUBMITTED' } };
}
