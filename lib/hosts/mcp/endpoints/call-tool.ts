import type { Ctx } from '../../../platform/context';
import type { AbortSignalLike } from '../../../platform/runtime/abort';
import { endsTurn, isInterrupted } from '../../../protocol/a2a/core/model';
import type { JsonObject } from '../../../protocol/json';
import type { McpRequest } from '../../../protocol/mcp/messages';
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
import { TASK_AFTER_MS, TOOL_WAIT_MS } from '../../limits';
import { toCallResult } from './call-result';
import { readInputResponse, toInputRequests } from './input-requests';
import { openRequestState, type RequestState, sealRequestState } from './request-state';
import { runCancelable } from './running-calls';
import { toTask } from './tasks-extension';

interface Call {
  ctx: Ctx;
  endUser: string;
  tools: ToolSet;
  onProgress?: (text: string) => void;
}

/** A call with its maximum waiting time and its abort signal. */
type RunningCall = Call & { canceled: AbortSignalLike; waitMs: number };

/**
 * Answers `tools/call`: with the result; with `input_required` if the agent has a question and the client can ask the
 * user; with a task if the agent takes long and the client can poll.
 * @throws {McpError} for a request state that is not valid; {ParleyError} for a refusal of the tool
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
  if (!mayAsk && !mayPoll) return toCallResult(result);
  const task = await readHostTask({ ctx, taskId, agent: tools.agent, scope: 'agents:call' });
  const inputRequests = toInputRequests(task.question, client);
  if (inputRequests && task.question) {
    const requestState = sealRequestState({ taskId, key: task.question.key }, request, ctx);
    return { resultType: 'input_required', inputRequests, requestState };
  }
  return mayPoll && !endsTurn(task.state) ? { resultType: 'task', ...toTask(task) } : toCallResult(task.result);
}

/** Continues a call whose client repeats it with the user's response. */
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
      return toAnswer(request, await answerQuestion(target, { key: state.key, text: response.text }, call), call);
    case 'opened': {
      const next = await waitForTask(target, call);
      return next.task?.state === task.state ? toCallResult(next) : toAnswer(request, next, call);
    }
  }
}
