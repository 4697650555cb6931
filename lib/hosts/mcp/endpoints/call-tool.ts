import { publish, subscribe } from '../../../platform/bus';
import type { Ctx } from '../../../platform/context';
import { type AbortSignalLike, LightAbortController } from '../../../platform/runtime/abort';
import { seal, sha256, unseal } from '../../../platform/secrets/crypto';
import { endsTurn, isInterrupted } from '../../../protocol/a2a/core/model';
import { canonicalJson } from '../../../protocol/jcs';
import { isObject, type JsonObject } from '../../../protocol/json';
import type { McpRequest, RequestId } from '../../../protocol/mcp/messages';
import { errorCodes, McpError } from '../../../protocol/mcp/messages';
import {
  answerQuestion,
  callTool,
  findTool,
  readHostTask,
  type Tool,
  type ToolResult,
  type ToolSet,
  waitForTask,
} from '../..';
import { REQUEST_STATE_TTL_MS, TASK_AFTER_MS, TOOL_WAIT_MS } from '../../limits';
import { readInputResponse, toCallResult, toInputRequests, toTask } from './tasks-extension';

interface Call {
  ctx: Ctx;
  endUser: string;
  tools: ToolSet;
  onProgress?: (text: string) => void;
}

/** A call with its maximum waiting time and its abort signal. */
type RunningCall = Call & { canceled: AbortSignalLike; waitMs: number };

/**
 * Answers `tools/call` with the result, with `input_required` if the agent has a question and the client can ask the
 * user, or with a task if the agent takes long and the client can poll.
 * @throws {McpError} for an invalid request state; {ParleyError} for a refusal of the tool
 */
export function answerToolCall(request: McpRequest, call: Call): Promise<JsonObject> {
  const tool = findTool(call.tools, typeof request.params.name === 'string' ? request.params.name : '');
  const waitMs = request.client.tasks ? TASK_AFTER_MS : TOOL_WAIT_MS;
  return runCancelable(request, call, async (canceled) => {
    const running = { ...call, canceled, waitMs };
    const state = request.isModern ? openRequestState(request, call.ctx) : null;
    if (state) return continueCall(request, { state, tool, ...running });
    const result = await callTool(tool, { ...running, agent: call.tools.agent, input: request.params.arguments });
    return toAnswer(request, result, running);
  });
}

async function toAnswer(request: McpRequest, result: ToolResult, { ctx, tools }: Call): Promise<JsonObject> {
  const { client } = request;
  const { taskId = '', state } = result.task ?? {};
  const mayAsk = state !== undefined && isInterrupted(state) && (client.forms || client.links);
  const mayPoll = state !== undefined && !endsTurn(state) && client.tasks;
  if (!mayAsk && !mayPoll) return toCallResult(result, client);
  const task = await readHostTask({ ctx, taskId, agent: tools.agent, scope: 'agents:call' });
  const inputRequests = toInputRequests(task.question, client);
  if (inputRequests && task.question) {
    const requestState = sealRequestState({ taskId, key: task.question.key }, request, ctx);
    return { resultType: 'input_required', inputRequests, requestState };
  }
  return mayPoll && !endsTurn(task.state) ? { resultType: 'task', ...toTask(task) } : toCallResult(task.result, client);
}

/** Continues a call that the client repeats with the user's response. */
async function continueCall(
  request: McpRequest,
  { state, tool, ...call }: RunningCall & { state: RequestState; tool: Tool },
): Promise<JsonObject> {
  const target = { ctx: call.ctx, taskId: state.taskId, agent: call.tools.agent, scope: tool.scope };
  const task = await readHostTask(target);
  const { question, result } = task;
  const asked = { ...result, task };
  if (question?.key !== state.key) {
    // The question was already answered, or the agent has asked another one.
    return toAnswer(request, endsTurn(task.state) ? asked : await waitForTask(target, call), call);
  }
  const response = readInputResponse(request.params.inputResponses, question);
  switch (response?.action) {
    case undefined:
      return toAnswer(request, asked, call);
    case 'refused':
      return toCallResult({ ...result, text: `The person did not answer.\n\n${result.text}` });
    case 'answered':
      return toAnswer(request, await answerQuestion(target, { key: state.key, part: response.part }, call), call);
    case 'opened': {
      const next = await waitForTask(target, call);
      return next.task?.state === task.state ? toCallResult(next, request.client) : toAnswer(request, next, call);
    }
  }
}

const purpose = 'mcp-request-state';

/** The question of a call that the client repeats with the answer. */
interface RequestState {
  taskId: string;
  /** The key of the question. */
  key: string;
}

/** Seals the state for this user, tool and arguments, so that any node can read it from the repeated call. */
function sealRequestState(state: RequestState, request: McpRequest, ctx: Ctx): string {
  const expiresAt = ctx.now.getTime() + REQUEST_STATE_TTL_MS;
  return seal(purpose, JSON.stringify([state.taskId, state.key, bindingOf(request, ctx), expiresAt]));
}

/**
 * Reads the state of a repeated call; null for a first call.
 * @throws {McpError} for a state that was altered, has expired, or belongs to another user or call
 */
function openRequestState(request: McpRequest, ctx: Ctx): RequestState | null {
  const { requestState } = request.params;
  if (requestState === undefined) return null;
  const [taskId, key, binding, expiresAt] = readState(requestState);
  if (typeof taskId !== 'string' || typeof key !== 'string' || binding !== bindingOf(request, ctx))
    throw stateRefused(request, 'does not belong to this call');
  if (!(Number(expiresAt) > ctx.now.getTime())) throw stateRefused(request, 'has expired');
  return { taskId, key };
}

function readState(sealed: unknown): unknown[] {
  try {
    const state: unknown = typeof sealed === 'string' ? JSON.parse(unseal(purpose, sealed)) : null;
    return Array.isArray(state) ? state : [];
  } catch {
    return [];
  }
}

function bindingOf({ params }: McpRequest, { actor }: Ctx): string {
  const user = actor.kind === 'user' ? actor.userId : '';
  const args = isObject(params.arguments) ? params.arguments : {};
  return sha256(canonicalJson([user, params.name ?? null, args]));
}

function stateRefused({ id }: McpRequest, why: string): McpError {
  return new McpError(`requestState ${why}. Send the call again without it.`, {
    code: errorCodes.invalidParams,
    status: 200,
    id,
  });
}

/** The caller of a request. Hosts number the requests of each user separately. */
interface Caller {
  ctx: Ctx;
  /** Hash of the end user that the host states; empty if there is none. */
  endUser: string;
}

/** Returns the key of a call for the bus: its caller and its request id. Ids of different types are different. */
function keyOf({ ctx: { actor }, endUser }: Caller, requestId: RequestId): string {
  const credential = actor.kind === 'user' ? actor.credential.id : '';
  return sha256(JSON.stringify([credential, endUser, requestId]));
}

/**
 * Runs a call with a signal that aborts when its client cancels it: by a notification or, since 2026-07-28, by closing
 * the response, which in earlier revisions only means a lost connection.
 */
async function runCancelable<Result>(
  message: McpRequest,
  caller: Caller,
  run: (canceled: AbortSignalLike) => Promise<Result>,
): Promise<Result> {
  const { ctx } = caller;
  const controller = new LightAbortController();
  const abort = (): void => controller.abort();
  const unsubscribe = message.isModern ? undefined : subscribe('mcp-cancel', keyOf(caller, message.id), abort);
  if (message.isModern) ctx.signal.addEventListener('abort', abort, { once: true });
  try {
    return await run(controller);
  } finally {
    unsubscribe?.();
    if (message.isModern) ctx.signal.removeEventListener('abort', abort);
  }
}

/** Cancels running calls of the same caller with this id, on any node. */
export async function cancelCall(caller: Caller, requestId: RequestId): Promise<void> {
  await publish('mcp-cancel', keyOf(caller, requestId));
}
