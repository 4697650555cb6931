import { statusEvent, type TaskIds } from '../serve/turn.js';
import type { Message, Part, StreamEvent, TaskState } from '../wire.js';
import { readApp } from './app-resource.js';
import { askForArguments, askForTool } from './ask.js';
import { answerQuestion, type CallEvent, callTool, McpError, type McpTransport } from './client.js';
import { isObject, type JsonObject } from './json.js';
import { askUser, readAnswer, type WaitingCall, type WaitingCalls, type WaitingGroup } from './questions.js';
import { readToolResult } from './result.js';
import { type ChooseTool, type Route, routeBySuggestion, routeMessage } from './route.js';
import type { McpTool } from './tools.js';

/** One message to an agent whose skills are the tools of an MCP server. */
export interface McpTurn extends TaskIds {
  parts: readonly Part[];
  /** Earlier messages of the task, oldest first. */
  history: readonly Message[];
  signal: AbortSignal;
  /** Whose calls wait for answers together; by default those of the context. */
  group?: WaitingGroup;
}

export interface McpAgent {
  tools: McpTool[];
  transport: McpTransport;
  /** Calls that wait for an answer; shared by all turns. */
  waiting: WaitingCalls;
  /** Suggests tools for messages in words, such as a model; without it, the caller chooses. */
  choose?: ChooseTool;
}

const TOO_MANY = 'Too many calls of this agent wait for answers. Call the tool again later.';
const MAX_PROGRESS = 500;
const MAX_ERROR = 10_000;
/** Maximum characters of the parts of one event, which must fit into a frame. */
const MAX_EVENT = 250_000;
const MAX_TEXT = 60_000;

/**
 * Answers a message by calling a tool, or asks which one, or for its arguments. Yields events of A2A 1.0, the last of
 * which ends the turn.
 */
export async function* answerMcpTurn(turn: McpTurn, agent: McpAgent): AsyncGenerator<StreamEvent, void, undefined> {
  try {
    yield* answer(turn, agent);
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    yield failed(turn, error.message);
  }
}

async function* answer(turn: McpTurn, agent: McpAgent): AsyncGenerator<StreamEvent, void, undefined> {
  const waiting = agent.waiting.take(turn.taskId);
  if (waiting) return yield* continueCall(turn, waiting, agent);
  if (answersLostCall(turn)) return yield failed(turn, 'The call that asked this has ended. Call the tool again.');
  if (agent.tools.length === 0) return yield failed(turn, 'The MCP server has no tools.');
  const route = await routeTurn(turn, agent);
  if (route.kind === 'say') return yield ask(turn, [{ text: route.text }]);
  if (route.kind === 'choose') {
    const tools = route.only ? [route.only] : agent.tools;
    return yield ask(turn, askForTool(tools, route.reason));
  }
  if (route.kind === 'fill') return yield ask(turn, askForArguments(route.tool, route));
  const { tool, args } = route;
  const controller = new AbortController();
  const { transport } = agent;
  const events = callTool(transport, { name: tool.name, args, signal: controller.signal });
  yield* follow(turn, { tool, args, transport, events, controller }, agent);
}

/** Routes by the message itself; by a suggestion only if that leaves the choice of a tool. */
async function routeTurn({ parts, history, signal }: McpTurn, { tools, choose }: McpAgent): Promise<Route> {
  const route = routeMessage(parts, tools, history);
  if (!choose || route.kind !== 'choose' || route.reason !== undefined) return route;
  const said = history.filter(({ role }) => role === 'ROLE_USER').flatMap((message) => message.parts);
  return routeBySuggestion([...said, ...parts], tools, { choose, signal });
}

/** Returns true for the answer to a question of a call that no longer waits, for example after a restart. */
function answersLostCall({ history }: McpTurn): boolean {
  const asked = history.findLast(({ role }) => role === 'ROLE_AGENT');
  return asked?.parts.some(({ data }) => isObject(data) && isObject(data.requestedSchema)) ?? false;
}

/**
 * Passes the answer to the server, and follows the call. An answer that is no data is asked for again. A call whose server
 * does not receive the answer ends.
 */
async function* continueCall(turn: McpTurn, call: WaitingCall, agent: McpAgent): AsyncGenerator<StreamEvent, void> {
  const given = readAnswer(turn.parts, call);
  if (!given) {
    agent.waiting.add(turn.taskId, call, groupOf(turn));
    return yield ask(turn, askUser(call, 'Please answer in the form.'));
  }
  try {
    await answerQuestion(call.transport, call.id, given);
  } catch (error) {
    call.controller.abort(error);
    await call.events.return();
    turn.signal.throwIfAborted();
    return yield failed(turn, 'The MCP server did not receive the answer. Call the tool again.');
  }
  yield* follow(turn, call, agent);
}

type RunningCall = Omit<WaitingCall, 'id' | 'question'>;

/** Follows a call until its result, or until the server asks the user. */
async function* follow(turn: McpTurn, call: RunningCall, agent: McpAgent): AsyncGenerator<StreamEvent, void> {
  const { signal } = turn;
  const abort = (): void => call.controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const shown = new Progress();
  let isKept = false;
  try {
    for (;;) {
      const { done, value: event } = await call.events.next();
      if (done) return;
      if (event.type === 'result') return yield* conclude(turn, call, event.result);
      if (event.type === 'question') {
        const waiting = { ...call, id: event.id, question: event.question };
        isKept = agent.waiting.add(turn.taskId, waiting, groupOf(turn));
        if (isKept) return yield ask(turn, askUser(waiting));
        // The task fails in any case, and the call is closed.
        await answerQuestion(call.transport, event.id, { action: 'cancel' }).catch(() => undefined);
        return yield failed(turn, TOO_MANY);
      }
      if (shown.isNew(event)) yield statusOf(turn, 'TASK_STATE_WORKING', event.text);
    }
  } finally {
    signal.removeEventListener('abort', abort);
    if (!isKept) {
      call.controller.abort(new DOMException('The caller stopped reading.', 'AbortError'));
      await call.events.return();
    }
  }
}

function groupOf({ group, contextId }: McpTurn): WaitingGroup {
  return group ?? { agent: '', caller: contextId };
}

/** Skips progress without a text or with the same text, and what is too much for a task. */
class Progress {
  private last = '';
  private count = 0;

  isNew(event: CallEvent & { type: 'progress' }): boolean {
    if (event.text === '' || event.text === this.last || this.count >= MAX_PROGRESS) return false;
    this.last = event.text;
    this.count += 1;
    return true;
  }
}

/** Yields the result as artifacts, and the end of the task. An error of the tool fails the task with its text. */
async function* conclude(turn: McpTurn, call: RunningCall, result: JsonObject): AsyncGenerator<StreamEvent, void> {
  const { tool, args, transport } = call;
  const { isError, answer, files } = readToolResult(result);
  if (isError) {
    const text = answer.map((part) => part.text ?? JSON.stringify(part.data)).join('\n');
    return yield failed(turn, text.slice(0, MAX_ERROR).toWellFormed() || `The tool "${tool.title}" failed.`);
  }
  const artifactId = crypto.randomUUID();
  let append = false;
  for (const parts of inEvents(answer)) {
    yield artifactOf(turn, { artifactId, name: tool.title, parts }, append);
    append = true;
  }
  for (const file of files)
    yield artifactOf(turn, { artifactId: crypto.randomUUID(), name: file.filename, parts: [file] });
  const app = await readApp(transport, tool, { args, result, signal: turn.signal });
  if (app) yield artifactOf(turn, { artifactId: crypto.randomUUID(), name: tool.title, parts: [app] });
  yield statusOf(turn, 'TASK_STATE_COMPLETED');
}

/** Groups parts so that each event fits into a frame. Longer texts are divided. */
function inEvents(parts: Part[]): Part[][] {
  const events: Part[][] = [];
  let size = MAX_EVENT;
  for (const part of parts.flatMap(divide)) {
    const own = part.text?.length ?? JSON.stringify(part.data ?? null).length;
    if (size + own > MAX_EVENT) {
      events.push([]);
      size = 0;
    }
    events.at(-1)?.push(part);
    size += own;
  }
  return events;
}

function divide(part: Part): Part[] {
  const { text } = part;
  if (text === undefined || text.length <= MAX_TEXT) return [part];
  const pieces: Part[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_TEXT;
    // A pair of surrogates stays together.
    const length = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
    pieces.push({ ...part, text: text.slice(at, at + length) });
    at += length;
  }
  return pieces;
}

function artifactOf(
  { taskId, contextId }: TaskIds,
  artifact: { artifactId: string; name?: string; parts: Part[] },
  append = false,
): StreamEvent {
  return { artifactUpdate: { taskId, contextId, artifact, append } };
}

function ask(turn: TaskIds, parts: Part[]): StreamEvent {
  return statusOf(turn, 'TASK_STATE_INPUT_REQUIRED', parts);
}

function failed(turn: TaskIds, text: string): StreamEvent {
  return statusOf(turn, 'TASK_STATE_FAILED', text);
}

/** Only the ids of the turn belong into the event. */
function statusOf({ taskId, contextId }: TaskIds, state: TaskState, content?: string | Part[]): StreamEvent {
  return statusEvent({ taskId, contextId }, state, content);
}
