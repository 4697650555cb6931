import type { AgentRecord } from '../../catalog';
import { type Trace, traceHeaders } from '../../platform/context';
import type { ResponseReader } from '../../platform/http-client/response-reader';
import { type ExternalRequest, fetchExternal } from '../../platform/http-client/safe-fetch';
import { newUuid } from '../../platform/ids';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { isCallableV1 } from '../../protocol/a2a/core/card';
import { type AgentItem, type AgentRequest, toAgentRequest, toAgentRestRequest } from '../../protocol/a2a/dialects';
import { type ExtensionUse, readActivatedExtensions, requiredExtensions } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { MAX_STREAM_BYTES } from '../limits';
import { callLimitsOf } from '../rate-limits';
import type { Authorization } from './authorize-request';
import type { CallRecorder } from './call-recorder';
import { type ResponseContext, readObjectResponse, readStreamedResponse, readUnaryResponse } from './parse-response';

/** The agent's items, in batches. */
export type Batches = AsyncIterable<AgentItem[]> | AgentItem[][];

export interface EndpointRequest {
  agent: Pick<AgentRecord, 'id' | 'callLimits' | 'card' | 'updatedAt'>;
  endpoint: AgentRecord['endpoints'][number];
  request: AgentRequest;
  extensions?: ExtensionUse;
  authorization: Authorization;
  trace: Trace | undefined;
  taskId?: string;
  /** The subject of the token: the caller, for the owner of the agent. */
  caller: string;
  signal: AbortSignalLike;
  /** Called as soon as the HTTP status is known. */
  onStatus: (status: number) => void;
  recorder: CallRecorder;
}

/**
 * Sends one request to one endpoint. Returns one batch for a JSON response, several for a stream. The first batch has
 * been read when the promise resolves, so that errors are thrown before the caller receives any output.
 * @throws {ParleyError} the errors of {@link fetchExternal}; `agent_timeout`; the agent's own error; an
 *   `AgentHttpError`
 */
export async function sendHttpRequest(call: EndpointRequest): Promise<Batches> {
  const { context, pending } = startRequest(call);
  const response = await pending;
  recordHead(call, response);
  if (isEventStream(response)) {
    response.disableTimeout();
    return peekFirst(readStreamedResponse(context, response));
  }
  const read = readUnaryResponse(context, response);
  const item = read instanceof Promise ? await read : read;
  call.recorder.end();
  return [[item]];
}

/**
 * Fetches the extended card from one endpoint, unchanged.
 * @throws {ParleyError} the errors of {@link sendHttpRequest}
 */
export async function requestHttpCard(call: EndpointRequest): Promise<JsonObject> {
  const { context, pending } = startRequest(call);
  const response = await pending;
  recordHead(call, response);
  const card = await readObjectResponse(context, response);
  call.recorder.end();
  return card;
}

/** The data for parsing, and a response whose headers may not have arrived yet. */
interface PendingResponse {
  context: ResponseContext;
  pending: Promise<ResponseReader>;
}

function startRequest(call: EndpointRequest): PendingResponse {
  const { recorder, endpoint, request, authorization } = call;
  const { method, url, headers, body, envelopeId, name } = encode(call);
  const { redact } = authorization;
  recorder.onRequest({ method, url, headers, body, name, dialect: dialectOf(endpoint), redact });
  const { unaryTimeoutMs, idleTimeoutMs, streamHeadersTimeoutMs } = callLimitsOf(call.agent);
  const streams = isStream(request);
  const pending = fetchExternal({
    method,
    url,
    headers,
    body,
    waitMs: streams ? streamHeadersTimeoutMs : unaryTimeoutMs,
    waitFor: streams ? 'headers' : 'whole',
    silenceTimeoutMs: idleTimeoutMs,
    maxBytes: MAX_STREAM_BYTES,
    signal: call.signal,
    onChunk: recorder.onChunk,
  });
  return { context: { request, endpoint, envelopeId, redact, recorder }, pending };
}

function recordHead({ recorder, onStatus, extensions }: EndpointRequest, { status, headers }: ResponseReader): void {
  if (extensions) extensions.activated = readActivatedExtensions(headers);
  recorder.onResponse(status, headers);
  onStatus(status);
}

export function isStream({ op }: AgentRequest): boolean {
  return op === 'stream' || op === 'subscribe';
}

function isEventStream({ status, headers }: ResponseReader): boolean {
  return status >= 200 && status < 300 && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

export function dialectOf({ protocolVersion, binding }: EndpointRequest['endpoint']): string {
  return `${protocolVersion} ${binding}`;
}

/** An encoded request, and the A2A method that it calls. */
interface EncodedRequest {
  method: ExternalRequest['method'];
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  envelopeId: string;
  name: string;
}

function encode(call: EndpointRequest): EncodedRequest {
  const { endpoint, authorization } = call;
  const request = requestFor(endpoint, call.request);
  const headers = headersOf(call);
  if (endpoint.binding === 'HTTP+JSON' && endpoint.protocolVersion !== '0.1') {
    const { method, path, body } = toAgentRestRequest(endpoint.protocolVersion, request);
    const url = authorization.urlOf(joinPath(endpoint.url, path));
    return { method, url, headers, body: body && JSON.stringify(body), envelopeId: '', name: `${method} ${path}` };
  }
  if (request.op === 'extended-card' && request.alternate) {
    const url = authorization.urlOf(joinPath(endpoint.url, '/../agent/authenticatedExtendedCard'));
    const name = `GET ${new URL(url).pathname}`;
    return { method: 'GET', url, headers, body: undefined, envelopeId: '', name };
  }
  const textMetadata = endpoint.protocolVersion === '0.1' && /\/a2a\/?$/.test(new URL(endpoint.url).pathname);
  const finalRequest = textMetadata ? { ...request, textMetadata } : request;
  const body = toAgentRequest(endpoint.protocolVersion, newUuid(), finalRequest);
  const url = authorization.urlOf(endpoint.url);
  return {
    method: 'POST',
    url,
    headers,
    body: JSON.stringify(body),
    envelopeId: String(body.id),
    name: String(body.method),
  };
}

/**
 * Adds the data that the endpoint requires: the tenant of its card, and a context id for Web42, where the client must
 * create it.
 */
export function requestFor({ tenant, assumed }: EndpointRequest['endpoint'], request: AgentRequest): AgentRequest {
  const withTenant = tenant ? { ...request, tenant } : request;
  if (!assumed || !('message' in withTenant) || withTenant.message.contextId !== undefined) return withTenant;
  return { ...withTenant, message: { ...withTenant.message, contextId: withTenant.ownContextId } };
}

/**
 * Returns the headers of a request. They are assigned individually, because an object literal with spreads would have a
 * new hidden class for every call.
 */
function headersOf(call: EndpointRequest): Record<string, string> {
  const headers = traceHeaders(call.trace);
  headers['content-type'] = 'application/json';
  headers.accept = isStream(call.request)
    ? 'text/event-stream, application/json'
    : 'application/json, text/event-stream';
  return addCallHeaders(headers, call);
}

/** Adds the headers that all bindings have: version, task, extensions and credentials. */
export function addCallHeaders(headers: Record<string, string>, call: EndpointRequest): Record<string, string> {
  const { endpoint, authorization } = call;
  if (endpoint.protocolVersion !== '0.1') headers['a2a-version'] = endpoint.protocolVersion;
  // The agent includes it in the metadata of messages to other agents.
  if (call.taskId !== undefined) headers['parley-task'] = call.taskId;
  const extensions = extensionsFor(call);
  if (extensions !== undefined)
    headers[isCallableV1(endpoint.protocolVersion) ? 'a2a-extensions' : 'x-a2a-extensions'] = extensions;
  return Object.assign(headers, authorization.headers);
}

/**
 * Returns the extensions to request. Calls about a task always include the required ones, because the agent accepted
 * the task with them and callers need not repeat them.
 */
function extensionsFor({ agent, request, extensions }: EndpointRequest): string | undefined {
  const requested = extensions?.requested ?? [];
  const required = 'taskId' in request ? requiredExtensions(agent.card) : [];
  if (requested.length === 0 && required.length === 0) return undefined;
  return [...new Set([...requested, ...required])].join(', ');
}

/**
 * Appends a path to the endpoint's URL. 0.3 cards declare the URL with or without `/v1`, which must not occur twice.
 */
function joinPath(base: string, path: string): string {
  const url = new URL(base);
  const basePath = url.pathname.replace(/\/+$/, '');
  url.pathname = (path.startsWith('/v1/') ? basePath.replace(/\/v1$/, '') : basePath) + path;
  return url.href;
}

/**
 * Returns the same batches after reading the first one. Not a generator, which would stay in memory together with an
 * idle stream.
 */
export async function peekFirst(batches: AsyncGenerator<AgentItem[]>): Promise<AsyncIterable<AgentItem[]>> {
  let first: IteratorResult<AgentItem[]> | null = await batches.next();
  const next = (): Promise<IteratorResult<AgentItem[]>> => {
    const pending = first;
    first = null;
    return pending ? Promise.resolve(pending) : batches.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => batches.return(undefined) }) };
}
