import type { Part } from '../wire.js';
import { answerQuestion, type CallEvent, type McpTransport } from './client.js';
import { boundedJson, cleanText, isObject, type JsonObject, listOf } from './json.js';
import type { McpTool } from './tools.js';

/** A call that waits for the answer of a user. */
export interface WaitingCall {
  tool: McpTool;
  args: JsonObject;
  /** The connection of the call, which is that of the answer. */
  transport: McpTransport;
  events: AsyncGenerator<CallEvent, void, undefined>;
  /** Aborts the call. */
  controller: AbortController;
  id: string | number;
  question: JsonObject;
}

/** Whose calls wait: those of one caller of one agent. */
export interface WaitingGroup {
  agent: string;
  caller: string;
}

/** Maximum calls that wait: in all, of one agent, and of one caller of it; and for how long, in milliseconds. */
const MAX_WAITING = 500;
const MAX_OF_AGENT = 100;
const MAX_OF_CALLER = 10;
const WAIT_MS = 600_000;
const MAX_MESSAGE = 4_000;
const MAX_SCHEMA = 32_768;

/** The calls that wait for an answer, by task. Each ends with `cancel` if nobody answers. */
export class WaitingCalls {
  private readonly calls = new Map<string, { call: WaitingCall; group: WaitingGroup; stop: () => void }>();

  /** `setTimer`: calls a function after some milliseconds, and returns a function that prevents it. */
  constructor(private readonly setTimer: (callback: () => void, ms: number) => () => void) {}

  /**
   * Keeps a call until {@link take}. If its caller has too many, the oldest of them is canceled. Returns false, and keeps
   * nothing, if there are too many of the agent or in all: calls of other callers are never canceled for it.
   */
  add(taskId: string, call: WaitingCall, group: WaitingGroup): boolean {
    this.cancel(taskId);
    const ofAgent = [...this.calls].filter(([, kept]) => kept.group.agent === group.agent);
    const ofCaller = ofAgent.filter(([, kept]) => kept.group.caller === group.caller);
    const [oldest] = ofCaller;
    if (oldest && ofCaller.length >= MAX_OF_CALLER) this.cancel(oldest[0]);
    else if (ofAgent.length >= MAX_OF_AGENT || this.calls.size >= MAX_WAITING) return false;
    const stop = this.setTimer(() => this.cancel(taskId), WAIT_MS);
    this.calls.set(taskId, { call, group, stop });
    return true;
  }

  take(taskId: string): WaitingCall | null {
    const found = this.calls.get(taskId);
    this.calls.delete(taskId);
    found?.stop();
    return found?.call ?? null;
  }

  /** Returns the call that waits, and keeps it. */
  peek(taskId: string): WaitingCall | null {
    return this.calls.get(taskId)?.call ?? null;
  }

  /** Cancels every call. */
  clear(): void {
    for (const taskId of [...this.calls.keys()]) this.cancel(taskId);
  }

  /** Cancels the question and the call of a task. */
  cancel(taskId: string): void {
    const call = this.take(taskId);
    if (!call) return;
    const { transport, id, events, controller } = call;
    // The call is closed also if the server does not receive the cancel.
    answerQuestion(transport, id, { action: 'cancel' })
      .catch(() => undefined)
      .finally(() => {
        controller.abort(new DOMException('No answer to a question of the server.', 'AbortError'));
        events.return().catch(() => undefined);
      });
  }
}

/** Returns a question of the server in the shape of MCP, which Parley shows as a form. */
export function askUser({ question }: WaitingCall, reason?: string): Part[] {
  const message = cleanText(question.message, MAX_MESSAGE);
  const requestedSchema = boundedJson(question.requestedSchema);
  const isSmall = isObject(requestedSchema) && JSON.stringify(requestedSchema).length <= MAX_SCHEMA;
  const asked = [reason, message].filter(Boolean).join('\n\n');
  return [isSmall ? { data: { message: asked, requestedSchema } } : { text: asked || 'The server asks for more.' }];
}

/**
 * Reads the answer to a question: `{action, content}`, the values alone, or words, which decline or are the only text that
 * the question asks for. Null if the words cannot be converted.
 */
export function readAnswer(
  parts: readonly Part[],
  { question }: Pick<WaitingCall, 'question'>,
): { action: 'accept' | 'decline' | 'cancel'; content?: JsonObject } | null {
  const data = parts.map((part) => part.data).find(isObject);
  if (data) {
    const { action, content } = data;
    if (action === 'decline' || action === 'cancel') return { action };
    const values = boundedJson(action === 'accept' ? (content ?? {}) : data);
    return isObject(values) ? { action: 'accept', content: values } : null;
  }
  const text = parts
    .flatMap((part) => part.text ?? [])
    .join('\n')
    .trim();
  if (/^(?:no|decline|cancel)[.!]?$/i.test(text)) return { action: 'decline' };
  const name = onlyText(question.requestedSchema);
  return name !== null && text !== '' ? { action: 'accept', content: { [name]: text } } : null;
}

function onlyText(schema: unknown): string | null {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const [entry, ...others] = Object.entries(properties);
  if (!entry || others.length > 0) return null;
  const [name, property] = entry;
  const isText = isObject(property) && property.type === 'string' && listOf(property.enum).length === 0;
  return isText && !listOf(isObject(property) ? property.oneOf : []).length ? name : null;
}
