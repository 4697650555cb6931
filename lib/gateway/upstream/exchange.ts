import type { AgentRecord } from '../../catalog';
import type { StopSignal } from '../../platform/abort';
import { newUuid } from '../../platform/ids';
import type { Reception } from '../../platform/reception';
import { type EgressRequest, egress } from '../../platform/safe-fetch';
import { type Trace, traceHeaders } from '../../platform/trace';
import { type ExtensionUse, readActivatedExtensions } from '../../protocol/a2a/core/extensions';
import { type AgentItem, type AgentRequest, toAgentRequest, toAgentRestRequest } from '../../protocol/a2a/dialects';
import { requiredExtensions } from '../../protocol/activatable';
import type { JsonObject } from '../../protocol/json';
import type { Authorization } from './authorize';
import type { CallWatch } from './call-watch';
import { callLimitsOf } from './policy';
import { readObject, readStream, readWhole, type Speech } from './read-answer';

/** What an agent says, in batches. */
export type Batches = AsyncIterable<AgentItem[]> | AgentItem[][];

/** Everything that one call may bring, bytes (LIM-1). */
const maxStreamBytes = 64 * 1_048_576;

export interface Exchange {
  agent: Pick<AgentRecord, 'callLimits' | 'card'>;
  endpoint: AgentRecord['endpoints'][number];
  request: AgentRequest;
  extensions?: ExtensionUse;
  authorization: Authorization;
  trace: Trace | undefined;
  signal: StopSignal;
  /** Told the HTTP status as soon as it is known. */
  heard: (status: number) => void;
  watch: CallWatch;
}

/**
 * One request to one endpoint of an agent, and what it says: one batch for a JSON answer, many for a stream. The first
 * batch is there when the promise resolves, so that a refusal is told before anybody heard something.
 * @throws {ParleyError} what {@link egress} throws; `agent_timeout`; the agent's own error; an `AgentRefusal`
 */
export async function exchange(call: Exchange): Promise<Batches> {
  const { speech, begun } = send(call);
  const answer = await begun;
  hear(call, answer);
  if (isEventStream(answer)) {
    answer.relax();
    return peeked(readStream(speech, answer));
  }
  const read = readWhole(speech, answer);
  const item = read instanceof Promise ? await read : read;
  call.watch.over();
  return [[item]];
}

/**
 * One request to one endpoint of an agent for its extended card, and the card as it came.
 * @throws {ParleyError} what {@link exchange} throws
 */
export async function exchangeCard(call: Exchange): Promise<JsonObject> {
  const { speech, begun } = send(call);
  const answer = await begun;
  hear(call, answer);
  const card = await readObject(speech, answer);
  call.watch.over();
  return card;
}

/** What is to be known of the answer, and the answer itself from its head on. */
interface Sent {
  speech: Speech;
  begun: Promise<Reception>;
}

function send(call: Exchange): Sent {
  const { watch, endpoint, request, authorization } = call;
  const { method, url, headers, body, envelopeId, name } = write(call);
  const { mask } = authorization;
  watch.sent({ method, url, headers, body, name, dialect: dialectOf(endpoint), mask });
  const { unaryMs, silenceMs, streamHeadersMs } = callLimitsOf(call.agent);
  const streams = isStream(request);
  const begun = egress({
    method,
    url,
    headers,
    body,
    waitMs: streams ? streamHeadersMs : unaryMs,
    waitFor: streams ? 'headers' : 'whole',
    silenceTimeoutMs: silenceMs,
    maxBytes: maxStreamBytes,
    signal: call.signal,
    onChunk: watch.took,
  });
  return { speech: { request, endpoint, envelopeId, mask, watch }, begun };
}

function hear({ watch, heard, extensions }: Exchange, { status, headers }: Reception): void {
  if (extensions) extensions.activated = readActivatedExtensions(headers);
  watch.answered(status, headers);
  heard(status);
}

function isStream({ op }: AgentRequest): boolean {
  return op === 'stream' || op === 'subscribe';
}

function isEventStream({ status, headers }: Reception): boolean {
  return status >= 200 && status < 300 && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function dialectOf({ protocolVersion, binding }: Exchange['endpoint']): string {
  return `${protocolVersion} ${binding}`;
}

/** A request as it goes out, and the method that it calls. */
interface Written {
  method: EgressRequest['method'];
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  envelopeId: string;
  name: string;
}

function write(call: Exchange): Written {
  const { endpoint, authorization } = call;
  const request = requestFor(endpoint, call.request);
  const headers = headersOf(call);
  if (endpoint.binding === 'HTTP+JSON' && endpoint.protocolVersion !== '0.1') {
    const { method, path, body } = toAgentRestRequest(endpoint.protocolVersion, request);
    const url = authorization.urlOf(joined(endpoint.url, path));
    return { method, url, headers, body: body && JSON.stringify(body), envelopeId: '', name: `${method} ${path}` };
  }
  if (request.op === 'extended-card' && request.otherwise) {
    const url = authorization.urlOf(joined(endpoint.url, '/../agent/authenticatedExtendedCard'));
    const name = `GET ${new URL(url).pathname}`;
    return { method: 'GET', url, headers, body: undefined, envelopeId: '', name };
  }
  const textMetadata = endpoint.protocolVersion === '0.1' && /\/a2a\/?$/.test(new URL(endpoint.url).pathname);
  const asked = textMetadata ? { ...request, textMetadata } : request;
  const body = toAgentRequest(endpoint.protocolVersion, newUuid(), asked);
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
function requestFor({ tenant, assumed }: Exchange['endpoint'], request: AgentRequest): AgentRequest {
  const placed = tenant ? { ...request, tenant } : request;
  if (!assumed || !('message' in placed) || placed.message.contextId !== undefined) return placed;
  return { ...placed, message: { ...placed.message, contextId: placed.ownContextId } };
}

/** Set one by one: they are made for every call, and a literal of spreads would get a shape of its own each time. */
function headersOf(call: Exchange): Record<string, string> {
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
function extensionsFor({ agent, request, extensions }: Exchange): string | undefined {
  const requested = extensions?.requested ?? [];
  const required = 'taskId' in request ? requiredExtensions(agent.card) : [];
  if (requested.length === 0 && required.length === 0) return undefined;
  return [...new Set([...requested, ...required])].join(', ');
}

/** The path behind the interface's own; 0.3's cards name it with and without the `/v1` that begins every path. */
function joined(base: string, path: string): string {
  const url = new URL(base);
  const own = url.pathname.replace(/\/+$/, '');
  url.pathname = (path.startsWith('/v1/') ? own.replace(/\/v1$/, '') : own) + path;
  return url.href;
}

/** The same batches, of which the first has been read. No generator around them: a silent stream would keep it as well. */
async function peeked(batches: ReturnType<typeof readStream>): Promise<AsyncIterable<AgentItem[]>> {
  let first: IteratorResult<AgentItem[]> | null = await batches.next();
  const next = (): Promise<IteratorResult<AgentItem[]>> => {
    const known = first;
    first = null;
    return known ? Promise.resolve(known) : batches.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => batches.return(undefined) }) };
}
