import { cleanText, isObject, type JsonObject } from './json.js';

/** A JSON-RPC request to a server. */
export interface McpRequest extends JsonObject {
  id: string | number;
  method: string;
  params: JsonObject;
}

/** A connection to an MCP server: a process, or an address. */
export interface McpTransport {
  /**
   * Sends a request; yields what the server sends for it: notifications, its own requests, and at last the response. Ends
   * without a response, or throws, if the connection is lost.
   */
  request(message: McpRequest, options: { signal: AbortSignal }): AsyncIterable<JsonObject>;
  /** Sends a notification, or the response to a request of the server. */
  send(message: JsonObject): Promise<void>;
}

/** What a server says about itself. */
export interface McpServerInfo {
  protocolVersion: string;
  name: string;
  title: string;
  version: string;
  /** True if `notifications/tools/list_changed` is announced. */
  announcesTools: boolean;
  hasResources: boolean;
}

/** What happens during a call of a tool. */
export type CallEvent =
  | { type: 'progress'; text: string }
  /** The server asks the user; the answer goes to {@link answerQuestion}. */
  | { type: 'question'; id: string | number; question: JsonObject }
  | { type: 'result'; result: JsonObject };

/** The connection to the server is lost, or the server breaks the protocol. The text is for the caller. */
export class McpError extends Error {
  override readonly name = 'McpError';

  constructor(
    message: string,
    /** The code of a JSON-RPC error; null for other errors. */
    readonly code: number | null = null,
  ) {
    super(message);
  }
}

/** Revisions that begin with `initialize`, newest first. */
export const MCP_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** The code that the specification gives for a rejected request of sampling. */
const REJECTED = -1;
const MAX_TEXT = 2_000;
const MAX_NAME = 200;

/** Returns true for an {@link McpError}. */
export function isMcpError(error: unknown): error is McpError {
  return error instanceof McpError;
}

let lastId = 0;

/**
 * Starts the session: negotiates the revision, and announces that users can be asked for fields.
 * @throws {McpError} if the server does not speak MCP, or only a revision that is unknown here
 */
export async function initialize(
  transport: McpTransport,
  { signal, client }: { signal: AbortSignal; client: { name: string; title?: string; version: string } },
): Promise<McpServerInfo> {
  const [protocolVersion] = MCP_REVISIONS;
  const capabilities = { elicitation: { form: {} } };
  const params = { protocolVersion, capabilities, clientInfo: client };
  const result = await requestOnce(transport, { method: 'initialize', params, signal });
  const { protocolVersion: agreed, serverInfo, capabilities: own } = result;
  if (!MCP_REVISIONS.some((revision) => revision === agreed))
    throw new McpError(
      `The MCP server uses revision ${cleanText(agreed, MAX_NAME) || 'none'}, which is not supported.`,
    );
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const info = isObject(serverInfo) ? serverInfo : {};
  const has = isObject(own) ? own : {};
  return {
    protocolVersion: String(agreed),
    name: cleanText(info.name, MAX_NAME) || 'MCP server',
    title: cleanText(info.title, MAX_NAME),
    version: cleanText(info.version, MAX_NAME),
    announcesTools: isObject(has.tools) && has.tools.listChanged === true,
    hasResources: isObject(has.resources),
  };
}

/**
 * Sends a request and returns its result. Requests of the server meanwhile are answered, or declined.
 * @throws {McpError} with the server's error
 */
export async function requestOnce(
  transport: McpTransport,
  { method, params, signal }: { method: string; params: JsonObject; signal: AbortSignal },
): Promise<JsonObject> {
  for await (const message of transport.request(newRequest(method, params), { signal })) {
    if (isResponse(message)) return resultOf(message);
    await declineRequest(transport, message);
  }
  throw closedEarly();
}

/**
 * Calls a tool; yields its progress and questions, and its result last. If the caller stops reading, or `signal` aborts,
 * the server is notified.
 * @throws {McpError} with the server's error; the reason of the signal
 */
export async function* callTool(
  transport: McpTransport,
  { name, args, signal }: { name: string; args: JsonObject; signal: AbortSignal },
): AsyncGenerator<CallEvent, void, undefined> {
  const request = newRequest('tools/call', { name, arguments: args });
  request.params._meta = { progressToken: request.id };
  let isOver = false;
  try {
    for await (const message of transport.request(request, { signal })) {
      isOver = isResponse(message);
      if (isOver) {
        yield { type: 'result', result: resultOf(message) };
        return;
      }
      const { method, id, params } = message;
      if (method === 'elicitation/create' && isId(id)) {
        const question = isObject(params) ? params : {};
        if (isObject(question.requestedSchema)) yield { type: 'question', id, question };
        else await respond(transport, errorTo(id, INVALID_PARAMS, 'Expected an elicitation with requestedSchema.'));
      } else if (method === 'notifications/progress') yield { type: 'progress', text: progressText(params) };
      else await declineRequest(transport, message);
    }
    isOver = true;
    throw closedEarly();
  } finally {
    if (!isOver) await cancel(transport, request.id);
  }
}

/** Answers a question of the server: with values, or that the user declined or canceled. */
export async function answerQuestion(
  transport: McpTransport,
  id: string | number,
  answer: { action: 'accept' | 'decline' | 'cancel'; content?: JsonObject },
): Promise<void> {
  await transport.send({ jsonrpc: '2.0', id, result: answer });
}

/** Returns true for the response to a request. */
export function isResponse(message: JsonObject): boolean {
  return message.method === undefined && ('result' in message || 'error' in message);
}

/** Returns true for a request that expects a response. */
export function isServerRequest({ method, id }: JsonObject): boolean {
  return typeof method === 'string' && isId(id);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/**
 * Responds to a request of the server that no user has to see. Models and folders are not offered, so requests for them
 * are errors (MCP 2025-11-25, Sampling and Roots). A question without a call is canceled, because it has no user. Never
 * rejects: a server that does not receive the response may still finish the call.
 */
export async function declineRequest(transport: Pick<McpTransport, 'send'>, message: JsonObject): Promise<void> {
  const { id, method } = message;
  if (!isId(id) || typeof method !== 'string') return;
  if (method === 'ping') await respond(transport, { jsonrpc: '2.0', id, result: {} });
  else if (method === 'elicitation/create')
    await respond(transport, { jsonrpc: '2.0', id, result: { action: 'cancel' } });
  else if (method === 'sampling/createMessage')
    await respond(transport, errorTo(id, REJECTED, 'The user rejected the sampling request.'));
  else if (method === 'roots/list') await respond(transport, errorTo(id, METHOD_NOT_FOUND, 'Roots are not supported.'));
  else await respond(transport, errorTo(id, METHOD_NOT_FOUND, 'Method not found'));
}

/** Sends a response. Its failure does not end the call: the connection of the call shows whether the server works. */
async function respond(transport: Pick<McpTransport, 'send'>, response: JsonObject): Promise<void> {
  try {
    await transport.send(response);
  } catch {
    // The call continues without it.
  }
}

async function cancel(transport: McpTransport, requestId: string | number): Promise<void> {
  const params = { requestId, reason: 'The caller canceled.' };
  try {
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  } catch {
    // The connection is lost, and the call with it.
  }
}

function newRequest(method: string, params: JsonObject): McpRequest {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method, params };
}

function resultOf({ result, error }: JsonObject): JsonObject {
  if (isObject(result)) return result;
  const { code, message } = isObject(error) ? error : {};
  const text = cleanText(message, MAX_TEXT) || 'no reason';
  throw new McpError(`The MCP server returned an error: ${text}`, typeof code === 'number' ? code : 0);
}

function errorTo(id: string | number, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function closedEarly(): McpError {
  return new McpError('The MCP server ended the connection before its response.');
}

/** Returns the text of a progress notification: its message, or its share. */
function progressText(params: unknown): string {
  const { message, progress, total } = isObject(params) ? params : {};
  const text = cleanText(message, MAX_TEXT);
  if (text !== '' || typeof progress !== 'number' || !Number.isFinite(progress)) return text;
  return typeof total === 'number' && total > 0 ? `${Math.round((progress / total) * 100)} %` : String(progress);
}
