import type { Part, StreamEvent, Task } from '../../wire.js';
import { limitsOf, type TestLimits } from '../limits.js';
import { type Channel, call, messageOf, type Reply } from '../probe/conversation.js';
import { Transport } from '../probe/transport.js';
import type { Finding } from '../report.js';
import { Subject } from '../subject.js';
import type { TestTarget } from '../test-agent.js';

export interface MockCallerOptions {
  /** A bearer token for the agent. */
  token?: string;
  headers?: Record<string, string>;
  limits?: Partial<TestLimits>;
  /** Position of the interface in the card; the preferred one by default. */
  interface?: number;
}

/** What an agent answered. */
export interface CallerAnswer {
  /** In the form of A2A 1.0, whatever the agent speaks. */
  events: StreamEvent[];
  /** Null if it answered with a message or an error. */
  task: Task | null;
  /** The text of the artifacts; without any, that of the last message. */
  text: string;
  error: { code: number | null; message: string } | null;
  /** What is wrong with the responses, as in the report of a test. */
  findings: Finding[];
}

/** A caller for tests of agents. */
export interface MockCaller {
  /** Sends a message and waits until the task is finished or asks for something. Pass a task to answer its question. */
  send(message: string | Part[], options?: { task?: Task | null; contextId?: string }): Promise<CallerAnswer>;
  /** The same with a stream. */
  stream(message: string | Part[], options?: { onTask?: (task: Task) => void }): Promise<CallerAnswer>;
  get(taskId: string): Promise<CallerAnswer>;
  cancel(taskId: string): Promise<CallerAnswer>;
}

/** Creates a caller of an agent, at a URL or in this process, in the version and binding that its card declares. */
export function mockCaller(target: TestTarget, options: MockCallerOptions = {}): MockCaller {
  const { token, interface: position = 0 } = options;
  const limits = limitsOf(options.limits);
  const [url, fetch] =
    typeof target === 'string' ? [target, globalThis.fetch.bind(globalThis)] : [target.url, target.fetch];
  const transport = new Transport({ fetch, limits, signal: new AbortController().signal });
  const headers = { ...options.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const subject = new Subject({ url, transport, headers, texts: {}, limits });
  const channel = async (): Promise<Channel> => {
    const found = (await subject.channels())[position];
    if (!found) throw new RangeError(`The card has no interface ${position} that can be called.`);
    return found;
  };
  return {
    async send(message, { task, contextId } = {}) {
      const ids = task
        ? { taskId: task.id, contextId: task.contextId }
        : { ...(contextId !== undefined && { contextId }) };
      const parts = typeof message === 'string' ? [{ text: message }] : message;
      return answerOf(await subject.send(await channel(), { text: '', where: 'message', parts }, ids));
    },
    async stream(message, { onTask } = {}) {
      const operation = { op: 'stream' as const, message: messageOf(message) };
      return answerOf(await call(await channel(), operation, { where: 'stream', ...(onTask && { onTask }) }));
    },
    async get(taskId) {
      return answerOf(await call(await channel(), { op: 'get', taskId }, { where: 'read' }));
    },
    async cancel(taskId) {
      return answerOf(await call(await channel(), { op: 'cancel', taskId }, { where: 'cancellation' }));
    },
  };
}

function answerOf({ events, task, message, error, notes }: Reply): CallerAnswer {
  const artifacts = (task?.artifacts ?? []).flatMap(({ parts }) => parts);
  const parts = artifacts.length > 0 ? artifacts : (message?.parts ?? task?.status.message?.parts ?? []);
  return {
    events,
    task,
    text: parts.map(({ text = '' }) => text).join(''),
    error: error && { code: error.code, message: error.message },
    findings: notes.map(({ check: _check, ...finding }) => finding),
  };
}
