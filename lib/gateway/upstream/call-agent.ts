import type { AgentRecord } from '../../catalog';
import { type AbortSignalLike, sleep } from '../../platform/abort';
import { asParleyError, hasCode } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { failedBeforeSend } from '../../platform/safe-fetch';
import type { Trace } from '../../platform/trace';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import { readSubject } from '../../tokens';
import type { HttpExchange } from '../schema';
import { insertHttpExchange } from '../store/task-http-traces';
import { AgentHttpError, isAgentError } from './agent-error';
import { authorize } from './authorize';
import { CallRecorder, type CallReport } from './call-recorder';
import { acquireCallPermit, recordProbe } from './circuit-breaker';
import type { CallOutcome } from './circuit-breaker-policy';
import { type EndpointCandidate, orderEndpoints, saveEndpointPreference } from './endpoint-preference';
import { reportVersionMismatch } from './report-version-mismatch';
import { type Batches, type EndpointRequest, requestCard, sendRequest } from './send-request';

const retryDelayMs = 250;
/** Endpoints that a call of our own tries: a card that names many is no reason to call them all. */
const maxProbedEndpoints = 3;

export interface AgentCall {
  agent: Pick<AgentRecord, 'id' | 'card' | 'endpoints' | 'callLimits' | 'updatedAt'>;
  request: AgentRequest;
  /** The extensions that are wanted active; calls about a task carry what the card requires as well. */
  extensions?: ExtensionUse;
  /** Of the request that this call is for. */
  requestId: string;
  token: string;
  trace?: Trace;
  signal: AbortSignalLike;
  /** The task that the call is for, when its person may look at what goes over the wire. */
  httpTraceOf?: { taskId: string };
  /**
   * Set for calls of our own that look how the agent is: they are let through while it is left alone, made once at each
   * of its first endpoints, and told here in place of the owner's log.
   */
  probe?: (report: CallReport) => void;
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
  return withEndpoints(call, (candidate, ready) => callEndpoint(call, candidate, ready));
}

/**
 * Asks an agent for the extended card that the token's bearer may see, and answers it as it came.
 * @throws {ParleyError} what {@link callAgent} throws
 */
export function fetchExtendedCard(call: Omit<AgentCall, 'request'>): Promise<JsonObject> {
  return withEndpoints<JsonObject>(
    { ...call, request: { op: 'extended-card' } },
    async ({ endpoint, unclaimed }, ready) => {
      const cardRequest = requestCard({ ...ready, endpoint });
      if (unclaimed || endpoint.protocolVersion !== '0.3' || endpoint.binding !== 'JSONRPC') return cardRequest;
      const alternateRequest: EndpointRequest = {
        ...ready,
        endpoint,
        request: { op: 'extended-card', otherwise: true },
      };
      // What 0.2 had at an address of its own is a method since 0.3.
      return cardRequest.catch((error) =>
        isMethodNotFound(error) ? requestCard(alternateRequest) : Promise.reject(error),
      );
    },
  );
}

type CallEndpoint<Result> = (candidate: EndpointCandidate, ready: PreparedCall) => Promise<Result>;

async function withEndpoints<Result>(call: AgentCall, callAt: CallEndpoint<Result>): Promise<Result> {
  const { agent, token, trace, signal } = call;
  const { requestId, request, extensions, probe, httpTraceOf: wireOf } = call;
  const caller = readSubject(token);
  const keep = wireOf && ((exchange: HttpExchange): void => saveExchange(wireOf.taskId, exchange));
  const now = new Date();
  const recorder = new CallRecorder({
    agentId: agent.id,
    at: now,
    requestId,
    caller,
    op: request.op,
    signal,
    onReport: probe,
    onExchange: keep,
  });
  let reportOutcome: ReturnType<typeof acquireCallPermit> | undefined;
  try {
    const known = authorize({ agent, token, now });
    const authorization = known instanceof Promise ? await known : known;
    reportOutcome = probe
      ? recordProbe(agent.id)
      : acquireCallPermit(agent.id, known instanceof Promise ? new Date() : now);
    const onStatus = (status: number): void => {
      if (status < 500) reportOutcome?.('answered');
      if (status === 401) authorization.invalidate();
    };
    const ready = { agent, request, extensions, authorization, trace, signal, onStatus, recorder };
    return await tryEndpoints(call, recorder, (candidate) => callAt(candidate, ready));
  } catch (error) {
    reportOutcome?.(outcomeOf(error, signal));
    recorder.end(error);
    throw error;
  }
}

/** Beside the call: whoever waits for an answer does not wait for this. */
function saveExchange(taskId: string, exchange: HttpExchange): void {
  insertHttpExchange(taskId, exchange).catch((error: unknown) =>
    log.warn('wire.not_kept', { taskId, ...errorFields(error) }),
  );
}

function outcomeOf(error: unknown, signal: AbortSignalLike): CallOutcome {
  if (signal.aborted) return 'given-up';
  if (hasCode(error, 'agent_unreachable') || hasCode(error, 'agent_timeout') || hasCode(error, 'url_refused')) {
    return 'failed';
  }
  if (error instanceof AgentHttpError) return error.status >= 500 ? 'failed' : 'answered';
  return asParleyError(error) ? 'answered' : 'given-up';
}

type PreparedCall = Omit<EndpointRequest, 'endpoint'>;

async function tryEndpoints<Result>(
  call: AgentCall,
  recorder: CallRecorder,
  callAt: (candidate: EndpointCandidate) => Promise<Result>,
): Promise<Result> {
  const { agent, request, signal, probe } = call;
  for (let round = 0; ; round++) {
    let failure: unknown;
    const places = orderEndpoints(agent, Date.now());
    for (const place of probe ? places.slice(0, maxProbedEndpoints) : places) {
      if (place.unclaimed && !shouldTryUnclaimed(place, places, failure)) continue;
      try {
        return await callAt(place);
      } catch (error) {
        // That the last one does not know the method either says less than why the first one refused.
        if (failure === undefined || !isMethodNotFound(error)) {
          failure = error;
          recorder.markFailed();
        }
        if (
          signal.aborted ||
          !(
            shouldTryNextEndpoint(error, request) ||
            maySupportOlderVersion(error, { agent, candidate: place, candidates: places })
          )
        )
          break;
      }
    }
    if (probe || round > 0 || signal.aborted || !shouldRetry(failure, request)) throw failure;
    await sleep(retryDelayMs, signal);
  }
}

/**
 * Where an agent says that it streams and does not know how, the same message is sent plainly: it was not taken. Where it
 * does not know how to be subscribed to, it is asked in the other way.
 */
function callEndpoint(call: AgentCall, place: EndpointCandidate, ready: PreparedCall): Promise<Batches> {
  const { endpoint } = place;
  const { request, signal } = ready;
  const sendUnary = async (): Promise<Batches> => {
    const unaryRequest: AgentRequest = request.op === 'stream' ? { ...request, op: 'send' } : request;
    const items = await sendRequest({ ...ready, endpoint, request: unaryRequest });
    saveEndpoint(call, { ...place, plain: place.plain || unaryRequest !== request });
    return items;
  };
  if (request.op === 'subscribe' && !request.alternate) {
    const other: PreparedCall = { ...ready, request: { ...request, alternate: true } };
    return sendUnary().catch((error) =>
      isMethodNotFound(error) ? sendRequest({ ...other, endpoint }) : Promise.reject(error),
    );
  }
  if (request.op !== 'stream' || place.plain) return sendUnary();
  const streaming = async (): Promise<Batches> => {
    try {
      const items = await sendRequest({ ...ready, endpoint });
      saveEndpoint(call, place);
      return items;
    } catch (error) {
      if (!signal.aborted && isStreamingUnsupported(error)) return sendUnary();
      throw error;
    }
  };
  return streaming();
}

function saveEndpoint({ agent }: AgentCall, place: EndpointCandidate): void {
  const now = new Date();
  const isNew = saveEndpointPreference(agent, place, now.getTime());
  if (isNew && place.unclaimed) void reportVersionMismatch(agent.id, now);
}

function isStreamingUnsupported(error: unknown): boolean {
  const known = asParleyError(error);
  return known !== null && (isMethodNotFound(error) || isAgentError(known, -32004));
}

/** The agent said that there is nothing like that there. */
export function isMethodNotFound(error: unknown): boolean {
  if (error instanceof AgentHttpError) return error.status === 404 || error.status === 405;
  const known = asParleyError(error);
  return known !== null && isAgentError(known, -32601);
}

/** True when another endpoint may be tried: this one did not get the request or has no such method. */
function shouldTryNextEndpoint(error: unknown, request: AgentRequest): boolean {
  const wasNotProcessed = failedBeforeSend(error) || isMethodNotFound(error) || hasCode(error, 'url_refused');
  return wasNotProcessed || (isRead(request) && isOutage(error));
}

/**
 * Servers call a method that they do not know an invalid request (A2A 0.1, a2a-python before 0.3) or do not support its version
 * (-32009), or answer with a status alone. Only where the same address may speak another version is that read as "no such
 * method": the request was not taken.
 */
function maySupportOlderVersion(error: unknown, { agent, candidate: place, candidates: places }: Tried): boolean {
  const { endpoint } = place;
  if (!mayBeUnknownMethod(error)) return false;
  if (endpoint.protocolVersion === '1.0')
    return places.some((other) => other.unclaimed && isSameEndpoint(other, place));
  return (
    endpoint.protocolVersion === '0.3' &&
    agent.endpoints.some(({ url, protocolVersion }) => protocolVersion !== '0.3' && url === endpoint.url)
  );
}

interface Tried {
  agent: Pick<AgentRecord, 'endpoints'>;
  candidate: EndpointCandidate;
  candidates: EndpointCandidate[];
}

const unknownMethodCodes = [-32601, -32600, -32009];
const unknownMethodStatuses = [400, 422, 501];

function mayBeUnknownMethod(error: unknown): boolean {
  if (error instanceof AgentHttpError) return isMethodNotFound(error) || unknownMethodStatuses.includes(error.status);
  const known = asParleyError(error);
  return known !== null && unknownMethodCodes.some((code) => isAgentError(known, code));
}

function isSameEndpoint({ endpoint: one }: EndpointCandidate, { endpoint: other }: EndpointCandidate): boolean {
  return one.url === other.url && one.binding === other.binding && one.tenant === other.tenant;
}

/** An unclaimed version is tried first where it answered lately, else only where the claimed one is not known. */
function shouldTryUnclaimed(place: EndpointCandidate, places: EndpointCandidate[], failure: unknown): boolean {
  return place === places[0] || mayBeUnknownMethod(failure);
}

/** True when a second round repeats nothing and may help. */
function shouldRetry(error: unknown, request: AgentRequest): boolean {
  if (hasCode(error, 'url_refused')) return false;
  return failedBeforeSend(error) || (isRead(request) && isOutage(error));
}

function isRead({ op }: AgentRequest): boolean {
  return op === 'get' || op === 'subscribe' || op === 'extended-card';
}

function isOutage(error: unknown): boolean {
  return hasCode(error, 'agent_unreachable') || (error instanceof AgentHttpError && error.status >= 502);
}
