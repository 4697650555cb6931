import type { Ctx } from '../../../platform/context';
import { hasCode } from '../../../platform/errors';
import type { JsonObject } from '../../../protocol/json';
import { errorCodes, McpError, type McpRequest, TASKS_EXTENSION } from '../../../protocol/mcp/messages';
import { cancelHostTask, type HostTask, readHostTask, sendAnswer, type TaskTarget, type ToolSet } from '../..';
import { TASK_POLL_MS } from '../../limits';
import { toCallResult } from './call-result';
import { readInputResponse, toInputRequests } from './input-requests';

/** The methods of `io.modelcontextprotocol/tasks` (SEP-2663). */
export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'];

/**
 * Answers one of {@link taskMethods}.
 * @throws {McpError} when the client did not declare the extension; {ParleyError} `task_not_found`
 */
export async function answerTaskMethod(
  { id, method, params, client }: McpRequest,
  { ctx, tools }: { ctx: Ctx; tools: ToolSet },
): Promise<JsonObject> {
  if (!client.tasks) {
    const data = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
    throw new McpError(`Expected a client that declares the extension ${TASKS_EXTENSION}.`, {
      code: errorCodes.missingClientCapability,
      data,
      id,
    });
  }
  const taskId = typeof params.taskId === 'string' ? params.taskId : '';
  const target = { ctx, taskId, agent: tools.agent };
  if (method === 'tasks/get') {
    const task = await readHostTask({ ...target, scope: 'tasks:read' });
    return { ...toTask(task), ...detailsOf(task, toInputRequests(task.question, client)) };
  }
  const changed = { ...target, scope: 'agents:call' as const };
  await (method === 'tasks/update' ? update(changed, params) : cancel(changed));
  return {};
}

/** A task that answers a call, and its states in later `tasks/get` responses. */
export function toTask({ taskId, createdAt, updatedAt }: HostTask): JsonObject {
  return {
    taskId,
    status: 'working',
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: null,
    pollIntervalMs: TASK_POLL_MS,
  };
}

/**
 * The status with its details. A task that failed at the agent is a completed call with an error as its result. A
 * question that the client cannot ask is also a completed call: its text is the result, as without this extension.
 */
function detailsOf({ state, result }: HostTask, inputRequests: JsonObject | null): JsonObject {
  if (state === 'submitted' || state === 'working') return {};
  if (state === 'canceled') return { status: 'cancelled' };
  if (inputRequests) return { status: 'input_required', inputRequests };
  return { status: 'completed', result: toCallResult(result) };
}

/** Without an answer the task cannot continue, so it is canceled. Responses to other keys are ignored. */
async function update(target: TaskTarget, { inputResponses }: JsonObject): Promise<void> {
  const { question } = await readHostTask(target);
  const response = question && readInputResponse(inputResponses, question);
  if (response?.action === 'answered') await sendAnswer(target, { key: question?.key ?? '', text: response.text });
  if (response?.action === 'refused') await cancel(target);
}

async function cancel(target: TaskTarget): Promise<void> {
  try {
    await cancelHostTask(target);
  } catch (error) {
    // The request states an intent: a task that has ended needs no cancel.
    if (!hasCode(error, 'task_not_cancelable')) throw error;
  }
}
