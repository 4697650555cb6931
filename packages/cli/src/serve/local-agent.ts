import { EventSourceParserStream } from 'eventsource-parser/stream';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

type JsonObject = Record<string, unknown>;

/** An A2A server reachable from this machine: its card and its JSON-RPC endpoint. */
export interface LocalAgent {
  card: JsonObject;
  url: string;
  version: '1.0' | '0.3';
  streaming: boolean;
}

/** Paths of a server's card: A2A 1.0 and 0.3, and earlier. */
const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const CARD_TIMEOUT_MS = 10_000;

/** Reads the card of the server at `url`. @throws {Failure} if there is none, or it has no JSON-RPC endpoint */
export async function findLocalAgent(url: string, signal: AbortSignal): Promise<LocalAgent> {
  const base = url.replace(/\/$/, '');
  const candidates = base.endsWith('.json') ? [base] : CARD_PATHS.map((path) => `${base}${path}`);
  for (const candidate of candidates) {
    const card = await fetchCard(candidate, signal);
    if (card) return { card, ...endpointOf(card, url) };
  }
  const hint = 'Expected an A2A server, with a card at /.well-known/agent-card.json.';
  throw new Failure(EXIT.unavailable, `No agent card found at ${url}.`, hint);
}

async function fetchCard(url: string, signal: AbortSignal): Promise<JsonObject | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(CARD_TIMEOUT_MS)]) });
    const card: unknown = response.ok ? await response.json() : null;
    return typeof card === 'object' && card !== null ? { ...card } : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

function endpointOf(card: JsonObject, url: string): Omit<LocalAgent, 'card'> {
  const { supportedInterfaces, additionalInterfaces, preferredTransport, url: mainUrl, capabilities } = card;
  const streaming = (capabilities as JsonObject | undefined)?.streaming === true;
  const modern = listOf(supportedInterfaces).filter(({ protocolBinding }) => protocolBinding === 'JSONRPC');
  const chosen = modern.find(({ protocolVersion }) => String(protocolVersion).startsWith('1.')) ?? modern[0];
  if (chosen) {
    const version = String(chosen.protocolVersion).startsWith('0.') ? '0.3' : '1.0';
    return { url: new URL(String(chosen.url), url).href, version, streaming };
  }
  const isRpc = preferredTransport === undefined || preferredTransport === 'JSONRPC';
  const other = listOf(additionalInterfaces).find(({ transport }) => transport === 'JSONRPC')?.url;
  const legacy = isRpc ? mainUrl : other;
  if (typeof legacy === 'string') return { url: new URL(legacy, url).href, version: '0.3', streaming };
  throw new Failure(EXIT.failed, `The agent at ${url} has no JSON-RPC endpoint. "serve" requires one.`);
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value : [];
}

/** One call of a method. */
export interface LocalCall {
  method: string;
  params: object;
  /** Sent as the caller's token. */
  token: string;
  signal: AbortSignal;
}

/** Yields the results of a call: a single one, or those of a stream. @throws {Error} with the server's error */
export async function* callLocalAgent(
  { url, version }: LocalAgent,
  { method, params, token, signal }: LocalCall,
): AsyncGenerator<JsonObject, void, undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'a2a-version': version,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) {
    yield resultOf(parse(await response.text()) ?? {}, response.status);
    return;
  }
  const text = response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  for await (const { data } of text.pipeThrough(new EventSourceParserStream())) {
    // Servers keep streams open with their own events; responses are objects with a result or an error.
    if (!data.trimStart().startsWith('{')) continue;
    const message = parse(data);
    if (!message) throw new Error('the local agent sent an event that is not JSON');
    if ('result' in message || 'error' in message) yield resultOf(message, response.status);
  }
}

function resultOf({ result, error }: JsonObject, status: number): JsonObject {
  if (typeof result === 'object' && result !== null) return { ...result };
  const { message = `HTTP ${status}` } = (error ?? {}) as { message?: string };
  throw new Error(`the local agent returned an error: ${message}`);
}

function parse(text: string): JsonObject | null {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return null;
  }
}
