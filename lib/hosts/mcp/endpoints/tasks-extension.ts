import type { Ctx } from '../../../platform/context';
import { hasCode } from '../../../platform/errors';
import type { Part } from '../../../protocol/a2a/core/model';
import { checkAnswer } from '../../../protocol/forms/check-answer';
import { ANSWER_METADATA, toAnswerData } from '../../../protocol/forms/describe-form';
import { rawOfContent } from '../../../protocol/forms/elicitation-schema';
import { isPaymentData } from '../../../protocol/forms/read-form';
import { isObject, type JsonObject, type JsonValue } from '../../../protocol/json';
import type { ClientCapabilities, McpRequest } from '../../../protocol/mcp/messages';
import { errorCodes, McpError, TASKS_EXTENSION } from '../../../protocol/mcp/messages';
import {
  type AskedFields,
  cancelHostTask,
  type HostTask,
  type Question,
  readHostTask,
  sendAnswer,
  type TaskTarget,
  type ToolResult,
  type ToolSet,
} from '../..';
import { MAX_ANSWER_TEXT, TASK_POLL_MS } from '../../limits';

/** The methods of `io.modelcontextprotocol/tasks` (SEP-2663). */
export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'];

/**
 * Answers one of {@link taskMethods}.
 * @throws {McpError} if the client did not declare the extension; {ParleyError} `task_not_found`
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
    return { ...toTask(task), ...detailsOf(task, client) };
  }
  const changed = { ...target, scope: 'agents:call' as const };
  await (method === 'tasks/update' ? update(changed, params) : cancel(changed));
  return {};
}

/** Converts a host task to an MCP task: the response to a call, and its state in later `tasks/get` responses. */
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
 * Returns the status with its details. A task that failed at the agent is a completed call with an error as its result.
 * A question that the client cannot ask is also a completed call: its text is the result, as without this extension.
 */
function detailsOf({ state, question, result }: HostTask, client: ClientCapabilities): JsonObject {
  const inputRequests = toInputRequests(question, client);
  if (state === 'submitted' || state === 'working') return {};
  if (state === 'canceled') return { status: 'cancelled' };
  if (inputRequests) return { status: 'input_required', inputRequests };
  return { status: 'completed', result: toCallResult(result, client) };
}

/**
 * Applies the user's response. Without an answer, the task cannot continue and is canceled. Responses to other keys are
 * ignored.
 */
async function update(target: TaskTarget, { inputResponses }: JsonObject): Promise<void> {
  const { question } = await readHostTask(target);
  const response = question && readInputResponse(inputResponses, question);
  if (response?.action === 'answered') await sendAnswer(target, { key: question?.key ?? '', part: response.part });
  if (response?.action === 'refused') await cancel(target);
}

async function cancel(target: TaskTarget): Promise<void> {
  try {
    await cancelHostTask(target);
  } catch (error) {
    // The request states an intention, so a task that has already ended needs no cancel.
    if (!hasCode(error, 'task_not_cancelable')) throw error;
  }
}

/** Returns the result of `tools/call`, with the apps of the answer for a client that shows them. */
export function toCallResult(
  { text, structured, isError, apps = [] }: ToolResult,
  client?: ClientCapabilities,
): JsonObject {
  const shown = client?.apps ? apps.map((resource) => ({ type: 'resource', resource })) : [];
  return {
    content: [{ type: 'text', text }, ...shown],
    ...(structured && { structuredContent: { ...structured } }),
    ...(isError && { isError }),
  };
}

/**
 * Returns the question as requests to the client, by key (2026-07-28, Multi Round-Trip Requests); null if the client
 * does not support them.
 */
export function toInputRequests(question: Question | null, client: ClientCapabilities): JsonObject | null {
  if (question?.kind === 'link' && client.links) {
    const { key, text: message, url } = question;
    return { [key]: { method: 'elicitation/create', params: { mode: 'url', message, url } } };
  }
  if (question?.kind === 'form' && client.forms) {
    const { key, text: message, fields } = question;
    const answer = { type: 'string', title: 'Answer', minLength: 1, maxLength: MAX_ANSWER_TEXT };
    const inWords = { type: 'object', properties: { answer }, required: ['answer'] };
    const requestedSchema = fields?.schema ?? inWords;
    return { [key]: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } };
  }
  return null;
}

/** The user's response: an answer, an opened link, or a refusal. */
type InputResponse = { action: 'answered'; part: Part } | { action: 'opened' } | { action: 'refused' };

/** Reads the response to a question; null if it is missing or invalid, in which case the client must ask again. */
export function readInputResponse(responses: JsonValue | undefined, question: Question): InputResponse | null {
  const { key } = question;
  const response = isObject(responses) && Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!isObject(response)) return null;
  const { action, content } = response;
  if (action === 'decline' || action === 'cancel') return { action: 'refused' };
  if (action !== 'accept') return null;
  if (question.kind === 'link') return { action: 'opened' };
  const part = isObject(content) ? answerPartOf(content, question.fields) : null;
  return part && { action: 'answered', part };
}

/** Returns the answer as the agent expects it: as data if it asked for fields, otherwise in words. */
function answerPartOf(content: JsonObject, fields: AskedFields | null): Part | null {
  if (!fields) {
    const { answer: text } = content;
    const isValid = typeof text === 'string' && text.trim() !== '' && text.length <= MAX_ANSWER_TEXT;
    return isValid ? { kind: 'text', text } : null;
  }
  const checked = checkAnswer(fields.form, rawOfContent(fields.form, content));
  if (!checked.ok || isPaymentData(checked.values)) return null;
  return { kind: 'data', data: toAnswerData(fields.form, checked.values), metadata: { ...ANSWER_METADATA } };
}
