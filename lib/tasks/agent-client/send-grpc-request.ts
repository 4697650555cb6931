import { reservedHeaders } from '../../catalog/schema';
import { traceHeaders } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { A2A_SERVICE, type A2aRpc, decodeA2aResponse, encodeA2aRequest } from '../../platform/grpc/a2a-codec';
import { FRAME_PREFIX_BYTES, FrameReader, FrameTooLargeError } from '../../platform/grpc/frames';
import { formatTimeout, readStatus } from '../../platform/grpc/status';
import { fetchHttp2 } from '../../platform/http-client/fetch-http2';
import type { ResponseReader } from '../../platform/http-client/response-reader';
import { newUuid } from '../../platform/ids';
import { type AgentItem, readAgentResult, toAgentRequest } from '../../protocol/a2a/dialects';
import { readActivatedExtensions } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { MAX_STREAM_BYTES } from '../limits';
import { callLimitsOf } from '../rate-limits';
import { httpStatusOf, toGrpcError } from './grpc-errors';
import { limitsFor, toHttpError } from './parse-response';
import {
  addCallHeaders,
  type Batches,
  dialectOf,
  type EndpointRequest,
  isStream,
  peekFirst,
  requestFor,
} from './send-request';

/**
 * Sends one request to one gRPC endpoint. Returns one batch for a unary response, several for a stream. The
 * first batch has been read when the promise resolves, so that errors are thrown before the caller receives any output.
 * @throws {ParleyError} the errors of `safe-fetch`; `agent_timeout`; the agent's own error; an `AgentHttpError`
 */
export async function sendGrpcRequest(call: EndpointRequest): Promise<Batches> {
  const exchange = await startGrpc(call);
  if (isStream(call.request)) {
    exchange.response.disableTimeout();
    return peekFirst(readStream(exchange));
  }
  return [[toItem(exchange, await readUnary(exchange))]];
}

/**
 * Fetches the extended card from one gRPC endpoint.
 * @throws {ParleyError} the errors of {@link sendGrpcRequest}
 */
export async function requestGrpcCard(call: EndpointRequest): Promise<JsonObject> {
  return readUnary(await startGrpc(call));
}

/** A call whose headers have arrived. */
interface Exchange {
  call: EndpointRequest;
  rpc: A2aRpc;
  response: ResponseReader;
}

async function startGrpc(call: EndpointRequest): Promise<Exchange> {
  const { endpoint, request, authorization, recorder, onStatus, extensions } = call;
  const version = endpoint.protocolVersion === '1.1' ? '1.1' : '1.0';
  const { method, params } = toAgentRequest(version, '', requestFor(endpoint, request)) as {
    method: A2aRpc;
    params: JsonObject;
  };
  const { redact } = authorization;
  const { origin, headers } = targetOf(call);
  const { unaryTimeoutMs, idleTimeoutMs, streamHeadersTimeoutMs } = callLimitsOf(call.agent);
  const streams = isStream(request);
  if (!streams) headers['grpc-timeout'] = formatTimeout(unaryTimeoutMs);
  const url = `${origin}/${A2A_SERVICE}/${method}`;
  const body = JSON.stringify(params);
  recorder.onRequest({ method: 'POST', url, headers, body, name: method, dialect: dialectOf(endpoint), redact });
  const response = await fetchHttp2({
    url,
    headers,
    body: encodeA2aRequest(method, params),
    waitMs: streams ? streamHeadersTimeoutMs : unaryTimeoutMs,
    waitFor: streams ? 'headers' : 'whole',
    silenceTimeoutMs: idleTimeoutMs,
    maxBytes: MAX_STREAM_BYTES,
    signal: call.signal,
  });
  if (extensions) extensions.activated = readActivatedExtensions(response.headers);
  recorder.onResponse(response.status, response.headers);
  const status = readStatus(response.headers);
  onStatus(status ? httpStatusOf(status.name) : response.status);
  requireGrpc(call, response);
  return { call, rpc: method, response };
}

/**
 * Returns the origin to call and the metadata. gRPC has no query, so a credential that belongs there is sent as metadata
 * with its name, unless HTTP reserves it.
 */
function targetOf(call: EndpointRequest): { origin: string; headers: Record<string, string> } {
  const url = new URL(call.authorization.urlOf(call.endpoint.url));
  const headers = traceHeaders(call.trace);
  headers['content-type'] = 'application/grpc';
  headers.te = 'trailers';
  for (const [name, value] of url.searchParams) if (!reservedHeaders.test(name)) headers[name.toLowerCase()] = value;
  return { origin: url.origin, headers: addCallHeaders(headers, call) };
}

/** Rejects responses that are not gRPC, such as those of proxies. */
function requireGrpc({ request, endpoint, authorization, recorder }: EndpointRequest, response: ResponseReader): void {
  const { status, headers } = response;
  const { redact } = authorization;
  if (status !== 200)
    throw toHttpError({ request, endpoint, envelopeId: '', redact, recorder }, { status, retryAfter: undefined }, '');
  if (!/^application\/grpc(?:\+proto)?\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new ParleyError('agent_misbehaved', "The agent's response is not gRPC.");
}

async function readUnary(exchange: Exchange): Promise<JsonObject> {
  const { call, response } = exchange;
  const messages = createMessageReader(exchange);
  const bytes = await response.buffer(limitsFor(call.request).bytes + FRAME_PREFIX_BYTES);
  const [message] = messages.read(bytes);
  requireOk(exchange);
  if (!message) throw new ParleyError('agent_misbehaved', 'The agent returned no message.');
  call.recorder.end();
  return message;
}

async function* readStream(exchange: Exchange): AsyncGenerator<AgentItem[]> {
  const { call, response } = exchange;
  const messages = createMessageReader(exchange);
  let started = false;
  try {
    for await (const chunk of response.chunks()) {
      const items = messages.read(chunk).map((message) => toItem(exchange, message));
      started ||= items.length > 0;
      if (items.length > 0) yield items;
    }
    requireOk(exchange);
  } catch (error) {
    // Before the first item, another endpoint may still succeed.
    if (started) call.recorder.end(error);
    throw error;
  } finally {
    if (started) call.recorder.end();
  }
}

/** Reads the messages of a response within the limits of JSON responses, and records them as JSON. */
function createMessageReader({ call, rpc }: Exchange): { read: (chunk: Buffer) => JsonObject[] } {
  const { bytes, members } = limitsFor(call.request);
  const frames = new FrameReader(bytes);
  return {
    read(chunk) {
      const messages: JsonObject[] = [];
      try {
        frames.push(chunk);
        for (let frame = frames.next(); frame; frame = frames.next()) {
          const message = decodeA2aResponse(rpc, frame, members);
          call.recorder.onChunk(Buffer.from(`${JSON.stringify(message)}\n\n`));
          messages.push(message);
        }
      } catch (cause) {
        const isLimit = cause instanceof FrameTooLargeError;
        const message = isLimit
          ? `The agent’s response exceeds a limit: ${cause.message}`
          : "The agent's response is not a message of A2A.";
        throw new ParleyError('agent_misbehaved', message, { cause });
      }
      return messages;
    },
  };
}

function toItem({ call }: Exchange, message: JsonObject): AgentItem {
  const item = readAgentResult(message, newUuid, call.endpoint);
  if (item) return item;
  throw new ParleyError('agent_misbehaved', "The agent's response is not an A2A result.");
}

/** Throws the error of a call that did not end with the status OK. A connection that ends without one is closed early. */
function requireOk({ call, response }: Exchange): void {
  const { headers, trailers, status: httpStatus } = response;
  const status = readStatus(trailers) ?? readStatus(headers);
  call.recorder.onResponse(httpStatus, { ...headers, ...trailers });
  if (!status) throw new ParleyError('agent_unreachable', 'The agent ended the response without a status.');
  if (status.name === 'OK') return;
  throw toGrpcError({ ...status, message: call.authorization.redact(status.message) }, call.request);
}
