import type { AgentTokens } from './agent-tokens.js';
import { ParleyError } from './errors.js';
import { type Fetch, reach, readError, readObject, readRetryAfter, readRpcReason } from './request.js';
import { type RetryOptions, retryWhenBusy } from './retry.js';

/** One A2A 1.0 call to one agent. */
export interface RpcCall {
  agent: string;
  method: string;
  params: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface RpcTransport {
  tokens: AgentTokens;
  fetch: Fetch;
  retry: Omit<RetryOptions, 'signal'>;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Posts a call and returns the response with its result. A token rejected before it expires is renewed once; while
 * Parley is busy, the call is retried.
 * @throws {ParleyError} for every status other than 2xx
 */
export async function postRpc(transport: RpcTransport, call: RpcCall): Promise<Response> {
  const { retry } = transport;
  const options = { ...retry, maxRetries: isRepeatable(call) ? retry.maxRetries : 0, signal: call.signal };
  return retryWhenBusy(() => postOnce(transport, call), options);
}

/**
 * Returns true if the call may be repeated: a message whose id is a UUID is processed once, even if it is sent several
 * times.
 */
function isRepeatable({ params }: RpcCall): boolean {
  const { message } = params as { message?: { messageId?: unknown } };
  return message === undefined || UUID.test(String(message.messageId));
}

async function postOnce(transport: RpcTransport, call: RpcCall): Promise<Response> {
  const response = await post(transport, call);
  if (response.status !== 401) return expectOk(response);
  await response.body?.cancel();
  transport.tokens.forget(call.agent);
  return expectOk(await post(transport, call));
}

/** Returns the result of a unary call. @throws {ParleyError} */
export async function callRpc<Result>(transport: RpcTransport, call: RpcCall): Promise<Result> {
  return readResult<Result>(await readObject(await postRpc(transport, call)));
}

/** Returns the result of a JSON-RPC response. @throws {ParleyError} with its error */
export function readResult<Result>({ result, error }: Record<string, unknown>): Result {
  if (typeof error === 'object' && error !== null) throw errorOf({ ...error });
  if (typeof result === 'object' && result !== null) return result as Result;
  throw new ParleyError('invalid_answer', 'The response has neither a result nor an error.');
}

function errorOf(error: Record<string, unknown>): ParleyError {
  const { code, message, details } = readRpcReason(error);
  return new ParleyError(code, message, { details });
}

async function post(
  { tokens, fetch }: RpcTransport,
  { agent, method, params, headers, signal }: RpcCall,
): Promise<Response> {
  const { token, agentUrl, extensions = [] } = await tokens.get(agent);
  return reach(fetch, `${agentUrl}/a2a/jsonrpc`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'a2a-version': '1.0',
      ...(extensions.length > 0 && { 'a2a-extensions': extensions.join(', ') }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  });
}

/**
 * Checks a response. A busy agent is reported by a JSON-RPC error with `Retry-After`, in a response with status 200.
 */
async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw await readError(response);
  const retryAfter = readRetryAfter(response);
  if (retryAfter === null || response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const { error } = await readObject(response.clone());
  if (typeof error !== 'object' || error === null) return response;
  const { code, message, details } = readRpcReason({ ...error });
  const requestId = response.headers.get('x-request-id');
  throw new ParleyError(code, message, { status: response.status, retryAfter, requestId, details });
}
