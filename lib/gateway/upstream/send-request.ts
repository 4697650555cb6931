import type { AgentRecord } from '../../catalog';
import type { AbortSignalLike } from '../../platform/abort';
import { newUuid } from '../../platform/ids';
import type { ResponseReader } from '../../platform/response-reader';
import { type ExternalRequest, fetchExternal } from '../../platform/safe-fetch';
import { type Trace, traceHeaders } from '../../platform/trace';
import { type ExtensionUse, readActivatedExtensions } from '../../protocol/a2a/core/extensions';
import { type AgentItem, type AgentRequest, toAgentRequest, toAgentRestRequest } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import { requiredExtensions } from '../../protocol/supported-extensions';
import type { Authorization } from './authorize';
import { callLimitsOf } from './call-limits';
import type { CallRecorder } from './call-recorder';
import { type ResponseContext, readObjectResponse, readStreamedResponse, readUnaryResponse } from './parse-response';

/** What an agent says, in batches. */
export type Batches = AsyncIterable<AgentItem[]> | AgentItem[][];

/** Everything that one call may bring, bytes (LIM-1). */
const maxStreamBytes = 64 * 1_048_576;

export interface EndpointRequest {
  agent: Pick<AgentRecord, 'callLimits' | 'card'>;
  endpoint: AgentRecord['endpoints'][number];
  request: AgentRequest;
  extensions?: ExtensionUse;
  authorization: Authorization;
  trace: Trace | undefined;
  signal: AbortSignalLike;
  /** Told the HTTP status as soon as it is known. */
  onStatus: (status: number) => void;
  recorder: CallRecorder;
}

/**
 * One request to one endpoint of an agent, and what it says: one batch for a JSON answer, many for a stream. The first
 * batch is there when the promise resolves, so that a refusal is told before anybody heard something.
 * @throws {ParleyError} what {@link fetchExternal} throws; `agent_timeout`; the agent's own error; an `AgentHttpError`
 */
export async function sendRequest(call: EndpointRequest): Promise<Batches> {
  const { context: speech, pending: begun } = startRequest(call);
  const response = await begun;
  recordHead(call, response);
  if (isEventStream(response)) {
    response.disableTimeout();
    return peekFirst(readStreamedResponse(speech, response));
  }
  const read = readUnaryResponse(speech, response);
  const item = read instanceof Promise ? await read : read;
  call.recorder.end();
  return [[item]];
}

/**
 * One request to one endpoint of an agent for its extended card, and the card as it came.
 * @throws {ParleyError} what {@link sendRequest} throws
 */
export async function requestCard(call: EndpointRequest): Promise<JsonObject> {
  const { context: speech, pending: begun } = startRequest(call);
  const response = await begun;
  recordHead(call, response);
  const card = await readObjectResponse(speech, response);
  call.recorder.end();
  return card;
}

/** What is to be known of the answer, and the answer itself from its head on. */
interface PendingResponse {
  context: ResponseContext;
  pending: Promise<ResponseReader>;
}

function startRequest(call: EndpointRequest): PendingResponse {
  const { recorder: watch, endpoint, request, authorization } = call;
  const { method, url, headers, body, envelopeId, name } = encode(call);
  const { redact: mask } = authorization;
  watch.onRequest({ method, url, headers, body, name, dialect: dialectOf(endpoint), redact: mask });
  const {
    unaryTimeoutMs: unaryMs,
    idleTimeoutMs: silenceMs,
    streamHeadersTimeoutMs: streamHeadersMs,
  } = callLimitsOf(call.agent);
  const streams = isStream(request);
  const begun = fetchExternal({
    method,
    url,
    headers,
    body,
    waitMs: streams ? streamHeadersMs : unaryMs,
    waitFor: streams ? 'headers' : 'whole',
    silenceTimeoutMs: silenceMs,
    maxBytes: maxStreamBytes,
    signal: call.signal,
    onChunk: watch.onChunk,
  });
  return { context: { request, endpoint, envelopeId, redact: mask, recorder: watch }, pending: begun };
}

function recordHead(
  { recorder: watch, onStatus: heard, extensions }: EndpointRequest,
  { status, headers }: ResponseReader,
): void {
  if (extensions) extensions.activated = readActivatedExtensions(headers);
  watch.onResponse(status, headers);
  heard(status);
}

function isStream({ op }: AgentRequest): boolean {
  return op === 'stream' || op === 'subscribe';
}

function isEventStream({ status, headers }: ResponseReader): boolean {
  return status >= 200 && status < 300 && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function dialectOf({ protocolVersion, binding }: EndpointRequest['endpoint']): string {
  return `${protocolVersion} ${binding}`;
}

/** A request as it goes out, and the method that it calls. */
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
  if (request.op === 'extended-card' && request.otherwise) {
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

/** The request with what its endpoint needs: the tenant that its card names, and a context id where Web42 has the caller make it. */
function requestFor({ tenant, assumed }: EndpointRequest['endpoint'], request: AgentRequest): AgentRequest {
  const withTenant = tenant ? { ...request, tenant } : request;
  if (!assumed || !('message' in withTenant) || withTenant.message.contextId !== undefined) return withTenant;
  return { ...withTenant, message: { ...withTenant.message, contextId: withTenant.ownContextId } };
}

/** Set one by one: they are made for every call, and a literal of spreads would get a shape of its own each time. */
function headersOf(call: EndpointRequest): Record<string, string> {
  const { endpoint, authorization, trace, request } = call;
  const headers = traceHeaders(trace);
  headers['content-type'] = 'application/json';
  headers.accept = isStream(request) ? 'text/event-stream, application/json' : 'application/json, text/event-stream';
  if (endpoint.protocolVersion !== '0.1') headers['a2a-version'] = endpoint.protocolVersion;
  const extensions = extensionsFor(call);
  if (extensions !== undefined)
    headers[endpoint.protocolVersion === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions'] = extensions;
  return Object.assign(headers, authorization.headers);
}

/** An agent that took a task had what it requires; a call about that task must not fail because its caller did not say so again. */
function extensionsFor({ agent, request, extensions }: EndpointRequest): string | undefined {
  const requested = extensions?.requested ?? [];
  const required = 'taskId' in request ? requiredExtensions(agent.card) : [];
  if (requested.length === 0 && required.length === 0) return undefined;
  return [...new Set([...requested, ...required])].join(', ');
}

/** The path behind the interface's own; 0.3's cards name it with and without the `/v1` that begins every path. */
function joinPath(base: string, path: string): string {
  const url = new URL(base);
  const basePath = url.pathname.replace(/\/+$/, '');
  url.pathname = (path.startsWith('/v1/') ? basePath.replace(/\/v1$/, '') : basePath) + path;
  return url.href;
}

/** The same batches, of which the first has been read. No generator around them: a silent stream would keep it as well. */
async function peekFirst(batches: ReturnType<typeof readStreamedResponse>): Promise<AsyncIterable<AgentItem[]>> {
  let first: IteratorResult<AgentItem[]> | null = await batches.next();
  const next = (): Promise<IteratorResult<AgentItem[]>> => {
    const known = first;
    first = null;
    return known ? Promise.resolve(known) : batches.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => batches.return(undefined) }) };
}
