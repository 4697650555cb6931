import type { AgentRecord } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { parseJson } from '../../platform/json';
import { type EgressResponse, egress } from '../../platform/safe-fetch';
import { readSse } from '../../platform/sse';
import { type AgentItem, readAgentResult, toAgentRequest } from '../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { agentError } from './agent-error';

/** Largest single answer or event of an agent, and everything that one call may bring, bytes (LIM-1). */
const maxEventBytes = 1_048_576;
const maxStreamBytes = 64 * 1_048_576;
/** Waiting times, milliseconds: for a stream's headers, for silence in it, for a whole unary answer. */
const streamHeadersMs = 30_000;
const silenceMs = 300_000;
const unaryMs = 300_000;

export interface AgentCall {
  agent: Pick<AgentRecord, 'endpoint'>;
  request: Parameters<typeof toAgentRequest>[2];
  token: string;
  signal: AbortSignal;
}

/**
 * Calls an agent by JSON-RPC and yields what it says, in batches: one item for a JSON answer, many for a stream. Items in
 * envelopes that are not ours are dropped (SSE-2). Nothing of Parley's caller but the upstream token is sent (RS-3).
 * @throws {ParleyError} what {@link egress} throws; the agent's own JSON-RPC error (see agent-error.ts)
 */
export async function* callAgent(call: AgentCall): AsyncGenerator<AgentItem[]> {
  const id = newUuid();
  const { protocolVersion, tenant } = call.agent.endpoint;
  const answer = await post(
    call,
    toAgentRequest(protocolVersion, id, { ...call.request, tenant: tenant ?? undefined }),
  );
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (answer.status === 200 && type === 'text/event-stream') {
    yield* readStream(answer, id);
    return;
  }
  const text = await readAll(answer);
  if (answer.status !== 200) throw refusal(answer.status, text);
  const item = readEnvelope(parseAnswer(text), id);
  if (!item) throw new ParleyError('agent_misbehaved', 'The agent answered with something that is not an A2A result.');
  yield [item];
}

function post({ agent, request, token, signal }: AgentCall, body: JsonObject): Promise<EgressResponse> {
  const streams = request.op === 'stream' || request.op === 'subscribe';
  return egress({
    url: agent.endpoint.url,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: streams ? 'text/event-stream, application/json' : 'application/json, text/event-stream',
      'a2a-version': agent.endpoint.protocolVersion,
    },
    body: JSON.stringify(body),
    signal,
    headersTimeoutMs: streams ? streamHeadersMs : unaryMs,
    silenceTimeoutMs: silenceMs,
    maxBytes: streams ? maxStreamBytes : maxEventBytes,
  });
}

async function* readStream(answer: EgressResponse, id: string): AsyncGenerator<AgentItem[]> {
  for await (const events of readSse(answer.body, maxEventBytes)) {
    const items = events.map(({ data }) => readEnvelope(parseAnswer(data), id)).filter((item) => item !== null);
    if (items.length > 0) yield items;
  }
}

function parseAnswer(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ParleyError('agent_misbehaved', 'The agent answered with text that is not JSON.', { cause });
  }
}

/** The item inside a JSON-RPC response to our request, or a bare one (Web42); null for anything else. */
function readEnvelope(value: JsonValue, id: string): AgentItem | null {
  if (!isObject(value) || value.jsonrpc === undefined) return readAgentResult(value, newUuid);
  if (isObject(value.error) && (value.id === id || value.id === null)) throw agentError(value.error);
  return value.id === id && value.result !== undefined ? readAgentResult(value.result, newUuid) : null;
}

async function readAll(answer: EgressResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(status: number, text: string): ParleyError {
  if (status === 401 || status === 403) {
    return new ParleyError('agent_misbehaved', `The agent refused Parley's token (HTTP ${status}).`);
  }
  const body = /^\s*\{/.test(text) ? parseAnswer(text) : null;
  if (isObject(body) && isObject(body.error)) return agentError(body.error);
  const found = status >= 300 && status < 400 ? `a redirect (HTTP ${status}), which is not followed` : `HTTP ${status}`;
  return new ParleyError('agent_misbehaved', `The agent answered with ${found}.`);
}
