import type { AgentRecord } from '../../catalog';
import { pause, type StopSignal } from '../../platform/abort';
import { asParleyError, hasCode } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { wasNeverSent } from '../../platform/safe-fetch';
import type { Trace } from '../../platform/trace';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import { subjectIn } from '../../tokens';
import type { WireExchange } from '../schema';
import { insertWire } from '../store/task-wires';
import { AgentRefusal, isAgentError } from './agent-error';
import { authorize } from './authorize';
import { enterBreaker, noteProbe } from './breaker';
import type { Outcome } from './breaker-policy';
import { CallWatch, type HeardCall } from './call-watch';
import { orderEndpoints, type Place, rememberEndpoint } from './endpoint-memory';
import { type Batches, type Exchange, exchange, exchangeCard } from './exchange';
import { reportVersion } from './report-version';

const retryPauseMs = 250;
/** Endpoints that a call of our own tries: a card that names many is no reason to call them all. */
const mostProbed = 3;

export interface AgentCall {
  agent: Pick<AgentRecord, 'id' | 'card' | 'endpoints' | 'callLimits' | 'updatedAt'>;
  request: AgentRequest;
  /** The extensions that are wanted active; calls about a task carry what the card requires as well. */
  extensions?: ExtensionUse;
  /** Of the request that this call is for. */
  requestId: string;
  token: string;
  trace?: Trace;
  signal: StopSignal;
  /** The task that the call is for, when its person may look at what goes over the wire. */
  wireOf?: { taskId: string };
  /**
   * Set for calls of our own that look how the agent is: they are let through while it is left alone, made once at each
   * of its first endpoints, and told here in place of the owner's log.
   */
  probe?: (heard: HeardCall) => void;
}

/**
 * Calls an agent at the first of its endpoints that takes the call and answers with what it says, in batches: one item for a
 * JSON answer, many for a stream. Nothing of Parley's caller but the upstream token is sent (RS-3).
 *
 * The next endpoint is tried when no connection could be made, or when the answer was that there is no such thing (404, 405,
 * -32601) before anything else. What may have arrived is never sent twice; reading is tried once more.
 * @throws {ParleyError} what `egress` throws; the agent's own error (see agent-error.ts); `agent_unreachable` with
 *   `retryAfter` while the breaker is open
 */
export function callAgent(call: AgentCall): Promise<Batches> {
  return reach(call, (place, ready) => callEndpoint(call, place, ready));
}

/**
 * Asks an agent for the extended card that the token's bearer may see, and answers it as it came.
 * @throws {ParleyError} what {@link callAgent} throws
 */
export function askForCard(call: Omit<AgentCall, 'request'>): Promise<JsonObject> {
  return reach<JsonObject>({ ...call, request: { op: 'extended-card' } }, async ({ endpoint, unclaimed }, ready) => {
    const plainly = exchangeCard({ ...ready, endpoint });
    if (unclaimed || endpoint.protocolVersion !== '0.3' || endpoint.binding !== 'JSONRPC') return plainly;
    const otherwise: Exchange = { ...ready, endpoint, request: { op: 'extended-card', otherwise: true } };
    // What 0.2 had at an address of its own is a method since 0.3.
    return plainly.catch((error) => (isMissing(error) ? exchangeCard(otherwise) : Promise.reject(error)));
  });
}

type Reach<Said> = (place: Place, ready: Ready) => Promise<Said>;

async function reach<Said>(call: AgentCall, callAt: Reach<Said>): Promise<Said> {
  const { agent, token, trace, signal } = call;
  const { requestId, request, extensions, probe, wireOf } = call;
  const caller = subjectIn(token);
  const keep = wireOf && ((exchange: WireExchange): void => keepWire(wireOf.taskId, exchange));
  const now = new Date();
  const watch = new CallWatch({
    agentId: agent.id,
    at: now,
    requestId,
    caller,
    op: request.op,
    signal,
    hear: probe,
    keep,
  });
  let settle: ReturnType<typeof enterBreaker> | undefined;
  try {
    const known = authorize({ agent, token, now });
    const authorization = known instanceof Promise ? await known : known;
    settle = probe ? noteProbe(agent.id) : enterBreaker(agent.id, known instanceof Promise ? new Date() : now);
    const heard = (status: number): void => {
      if (status < 500) settle?.('answered');
      if (status === 401) authorization.forget();
    };
    const ready = { agent, request, extensions, authorization, trace, signal, heard, watch };
    return await tryEndpoints(call, watch, (place) => callAt(place, ready));
  } catch (error) {
    settle?.(outcomeOf(error, signal));
    watch.over(error);
    throw error;
  }
}

/** Beside the call: whoever waits for an answer does not wait for this. */
function keepWire(taskId: string, exchange: WireExchange): void {
  insertWire(taskId, exchange).catch((error: unknown) => log.warn('wire.not_kept', { taskId, ...errorFields(error) }));
}

function outcomeOf(error: unknown, signal: StopSignal): Outcome {
  if (signal.aborted) return 'given-up';
  if (hasCode(error, 'agent_unreachable') || hasCode(error, 'agent_timeout') || hasCode(error, 'url_refused')) {
    return 'failed';
  }
  if (error instanceof AgentRefusal) return error.status >= 500 ? 'failed' : 'answered';
  return asParleyError(error) ? 'answered' : 'given-up';
}

type Ready = Omit<Exchange, 'endpoint'>;

async function tryEndpoints<Said>(
  call: AgentCall,
  watch: CallWatch,
  callAt: (place: Place) => Promise<Said>,
): Promise<Said> {
  const { agent, request, signal, probe } = call;
  for (let round = 0; ; round++) {
    let failure: unknown;
    const places = orderEndpoints(agent, Date.now());
    for (const place of probe ? places.slice(0, mostProbed) : places) {
      if (place.unclaimed && !mayBeUnclaimed(place, places, failure)) continue;
      try {
        return await callAt(place);
      } catch (error) {
        // That the last one does not know the method either says less than why the first one refused.
        if (failure === undefined || !isMissing(error)) {
          failure = error;
          watch.keepFailed();
        }
        if (signal.aborted || !(isElsewhere(error, request) || maySpeakOlder(error, { agent, place, places }))) break;
      }
    }
    if (probe || round > 0 || signal.aborted || !isWorthAnother(failure, request)) throw failure;
    await pause(retryPauseMs, signal);
  }
}

/**
 * Where an agent says that it streams and does not know how, the same message is sent plainly: it was not taken. Where it
 * does not know how to be subscribed to, it is asked in the other way.
 */
function callEndpoint(call: AgentCall, place: Place, ready: Ready): Promise<Batches> {
  const { endpoint } = place;
  const { request, signal } = ready;
  const plainly = async (): Promise<Batches> => {
    const plain: AgentRequest = request.op === 'stream' ? { ...request, op: 'send' } : request;
    const items = await exchange({ ...ready, endpoint, request: plain });
    remember(call, { ...place, plain: place.plain || plain !== request });
    return items;
  };
  if (request.op === 'subscribe' && !request.otherwise) {
    const other: Ready = { ...ready, request: { ...request, otherwise: true } };
    return plainly().catch((error) => (isMissing(error) ? exchange({ ...other, endpoint }) : Promise.reject(error)));
  }
  if (request.op !== 'stream' || place.plain) return plainly();
  const streaming = async (): Promise<Batches> => {
    try {
      const items = await exchange({ ...ready, endpoint });
      remember(call, place);
      return items;
    } catch (error) {
      if (!signal.aborted && refusesStreams(error)) return plainly();
      throw error;
    }
  };
  return streaming();
}

function remember({ agent }: AgentCall, place: Place): void {
  const now = new Date();
  const isNew = rememberEndpoint(agent, place, now.getTime());
  if (isNew && place.unclaimed) void reportVersion(agent.id, now);
}

function refusesStreams(error: unknown): boolean {
  const known = asParleyError(error);
  return known !== null && (isMissing(error) || isAgentError(known, -32004));
}

/** The agent said that there is nothing like that there. */
export function isMissing(error: unknown): boolean {
  if (error instanceof AgentRefusal) return error.status === 404 || error.status === 405;
  const known = asParleyError(error);
  return known !== null && isAgentError(known, -32601);
}

/** True when another endpoint may be tried: this one did not get the request or has no such method. */
function isElsewhere(error: unknown, request: AgentRequest): boolean {
  const isElsewhereToo = wasNeverSent(error) || isMissing(error) || hasCode(error, 'url_refused');
  return isElsewhereToo || (isRead(request) && isOutage(error));
}

/**
 * Servers call a method that they do not know an invalid request (A2A 0.1, a2a-python before 0.3) or do not support its version
 * (-32009), or answer with a status alone. Only where the same address may speak another version is that read as "no such
 * method": the request was not taken.
 */
function maySpeakOlder(error: unknown, { agent, place, places }: Tried): boolean {
  const { endpoint } = place;
  if (!isUnknownMethod(error)) return false;
  if (endpoint.protocolVersion === '1.0') return places.some((other) => other.unclaimed && isTwin(other, place));
  return (
    endpoint.protocolVersion === '0.3' &&
    agent.endpoints.some(({ url, protocolVersion }) => protocolVersion !== '0.3' && url === endpoint.url)
  );
}

interface Tried {
  agent: Pick<AgentRecord, 'endpoints'>;
  place: Place;
  places: Place[];
}

const unknownMethodCodes = [-32601, -32600, -32009];
const unknownMethodStatuses = [400, 422, 501];

function isUnknownMethod(error: unknown): boolean {
  if (error instanceof AgentRefusal) return isMissing(error) || unknownMethodStatuses.includes(error.status);
  const known = asParleyError(error);
  return known !== null && unknownMethodCodes.some((code) => isAgentError(known, code));
}

function isTwin({ endpoint: one }: Place, { endpoint: other }: Place): boolean {
  return one.url === other.url && one.binding === other.binding && one.tenant === other.tenant;
}

/** An unclaimed version is tried first where it answered lately, else only where the claimed one is not known. */
function mayBeUnclaimed(place: Place, places: Place[], failure: unknown): boolean {
  return place === places[0] || isUnknownMethod(failure);
}

/** True when a second round repeats nothing and may help. */
function isWorthAnother(error: unknown, request: AgentRequest): boolean {
  if (hasCode(error, 'url_refused')) return false;
  return wasNeverSent(error) || (isRead(request) && isOutage(error));
}

function isRead({ op }: AgentRequest): boolean {
  return op === 'get' || op === 'subscribe' || op === 'extended-card';
}

function isOutage(error: unknown): boolean {
  return hasCode(error, 'agent_unreachable') || (error instanceof AgentRefusal && error.status >= 502);
}
