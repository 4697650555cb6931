import { type AgentRecord, recordVersionDowngrade } from '../../catalog';
import { notifyPerson } from '../../identity';
import type { Trace } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import type { CallOutcome } from '../../platform/http-client/breaker-state';
import { isOutOfDescriptors } from '../../platform/http-client/connection-failure';
import { type AbortSignalLike, sleep } from '../../platform/runtime/abort';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import type { MailText, Translation } from '../../texts/sent-texts';
import { readSubject } from '../../tokens';
import { CALL_RETRY_DELAY_MS, MAX_PROBED_ENDPOINTS } from '../limits';
import type { HttpExchange } from '../schema';
import type { TaskRef } from '../store/records';
import { insertHttpExchange } from '../store/task-events';
import { AgentHttpError, isAgentError } from './agent-error';
import {
  type EndpointCandidate,
  isMethodNotFound,
  maySupportOlderVersion,
  orderEndpoints,
  saveEndpointPreference,
  shouldRetry,
  shouldTryNextEndpoint,
  shouldTryUnclaimed,
} from './agent-interfaces';
import { authorize } from './authorize-request';
import { CallRecorder, type CallReport } from './call-recorder';
import { acquireCallPermit, recordProbe } from './circuit-breaker';
import { requestGrpcCard, sendGrpcRequest } from './send-grpc-request';
import { sendMcpRequest } from './send-mcp-request';
import { type Batches, type EndpointRequest, requestHttpCard, sendHttpRequest } from './send-request';

export interface AgentCall {
  agent: Pick<AgentRecord, 'id' | 'card' | 'endpoints' | 'callLimits' | 'updatedAt'>;
  request: AgentRequest;
  /** The extensions to activate. Calls about a task also request those that the card requires. */
  extensions?: ExtensionUse;
  /** The id of the request that caused this call. */
  requestId: string;
  token: string;
  trace?: Trace;
  signal: AbortSignalLike;
  /** Parley's id of the task that the call concerns; absent if it concerns no running task. */
  taskId?: string;
  /** The task of the call, if the user may read its HTTP trace. */
  httpTraceOf?: TaskRef;
  /**
   * Set for Parley's own probes, which ignore an open breaker, call each of the first endpoints once, and report to
   * this function instead of the owner's log.
   */
  probe?: (report: CallReport) => void;
}

/**
 * Calls an agent at the first endpoint that works. Returns the agent's items in batches: one item for a JSON response,
 * several for a stream. The upstream token is the only data about the caller that is sent. A request that may have
 * arrived is never sent twice; reads are retried once.
 * @throws {ParleyError} the errors of `safe-fetch`; the agent's own error (agent-error.ts); `agent_unreachable` with
 * `retryAfter` while the breaker is open
 */
export function callAgent(call: AgentCall): Promise<Batches> {
  return withEndpoints(call, (candidate, ready) => callEndpoint(call, candidate, ready));
}

/**
 * Fetches an agent's extended card for the token's subject, unchanged.
 * @throws {ParleyError} the errors of {@link callAgent}
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
        request: { op: 'extended-card', alternate: true },
      };
      // A path in A2A 0.2, a method since 0.3.
      return cardRequest.catch((error) =>
        isMethodNotFound(error) ? requestCard(alternateRequest) : Promise.reject(error),
      );
    },
  );
}

type CallEndpoint<Result> = (candidate: EndpointCandidate, ready: PreparedCall) => Promise<Result>;

async function withEndpoints<Result>(call: AgentCall, callAt: CallEndpoint<Result>): Promise<Result> {
  const { agent, token, trace, signal } = call;
  const { requestId, request, extensions, probe, httpTraceOf, taskId } = call;
  const caller = readSubject(token);
  const onExchange = httpTraceOf && ((exchange: HttpExchange): void => saveExchange(httpTraceOf, exchange));
  const now = new Date();
  const recorder = new CallRecorder({
    agentId: agent.id,
    at: now,
    requestId,
    caller,
    taskId,
    op: request.op,
    signal,
    onReport: probe,
    onExchange,
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
    const ready = { agent, request, extensions, authorization, trace, taskId, caller, signal, onStatus, recorder };
    return await tryEndpoints(call, recorder, (candidate) => callAt(candidate, ready));
  } catch (error) {
    reportOutcome?.(outcomeOf(error, signal));
    recorder.end(error);
    throw error;
  }
}

/** Saves an exchange. Not awaited, because the caller need not wait for the trace. */
function saveExchange(task: TaskRef, exchange: HttpExchange): void {
  insertHttpExchange(task, exchange).catch((error: unknown) =>
    log.warn('http_exchange.write_failed', { taskId: task.id, ...errorFields(error) }),
  );
}

function outcomeOf(error: unknown, signal: AbortSignalLike): CallOutcome {
  if (signal.aborted || isOutOfDescriptors(error)) return 'given-up';
  if (hasCode(error, 'agent_unreachable') || hasCode(error, 'agent_timeout') || hasCode(error, 'url_refused')) {
    return 'failed';
  }
  if (error instanceof AgentHttpError) return error.status >= 500 ? 'failed' : 'answered';
  return error instanceof ParleyError ? 'answered' : 'given-up';
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
    const candidates = orderEndpoints(agent, Date.now());
    for (const candidate of probe ? candidates.slice(0, MAX_PROBED_ENDPOINTS) : candidates) {
      if (candidate.unclaimed && !shouldTryUnclaimed(candidate, candidates, failure)) continue;
      try {
        return await callAt(candidate);
      } catch (error) {
        // "Unknown method" from a later endpoint is less informative than the first endpoint's error.
        if (failure === undefined || !isMethodNotFound(error)) {
          failure = error;
          recorder.markFailed();
        }
        if (
          signal.aborted ||
          !(shouldTryNextEndpoint(error, request) || maySupportOlderVersion(error, { agent, candidate, candidates }))
        )
          break;
      }
    }
    if (probe || round > 0 || signal.aborted || !shouldRetry(failure, request)) throw failure;
    await sleep(CALL_RETRY_DELAY_MS, signal);
  }
}

/**
 * Calls one endpoint. If an agent declares streaming but does not support the method, it has not processed the message,
 * which is then sent as a unary call. An agent that does not support the subscribe method is called with the alternate
 * one.
 */
function callEndpoint(call: AgentCall, candidate: EndpointCandidate, ready: PreparedCall): Promise<Batches> {
  const { endpoint } = candidate;
  const { request, signal } = ready;
  const sendUnary = async (): Promise<Batches> => {
    const unaryRequest: AgentRequest = request.op === 'stream' ? { ...request, op: 'send' } : request;
    const items = await sendRequest({ ...ready, endpoint, request: unaryRequest });
    saveEndpoint(call, { ...candidate, unaryOnly: candidate.unaryOnly || unaryRequest !== request });
    return items;
  };
  if (request.op === 'subscribe' && !request.alternate && endpoint.binding !== 'GRPC' && endpoint.binding !== 'MCP') {
    const other: PreparedCall = { ...ready, request: { ...request, alternate: true } };
    return sendUnary().catch((error) =>
      isMethodNotFound(error) ? sendRequest({ ...other, endpoint }) : Promise.reject(error),
    );
  }
  // A second attempt could call a tool twice; responses of MCP stream in either case.
  if (request.op !== 'stream' || candidate.unaryOnly || endpoint.binding === 'MCP') return sendUnary();
  const streaming = async (): Promise<Batches> => {
    try {
      const items = await sendRequest({ ...ready, endpoint });
      saveEndpoint(call, candidate);
      return items;
    } catch (error) {
      if (!signal.aborted && isStreamingUnsupported(error)) return sendUnary();
      throw error;
    }
  };
  return streaming();
}

function sendRequest(call: EndpointRequest): Promise<Batches> {
  if (call.endpoint.binding === 'MCP') return sendMcpRequest(call);
  return call.endpoint.binding === 'GRPC' ? sendGrpcRequest(call) : sendHttpRequest(call);
}

function requestCard(call: EndpointRequest): Promise<JsonObject> {
  return call.endpoint.binding === 'GRPC' ? requestGrpcCard(call) : requestHttpCard(call);
}

function saveEndpoint({ agent }: AgentCall, candidate: EndpointCandidate): void {
  const now = new Date();
  const isNew = saveEndpointPreference(agent, candidate, now.getTime());
  // A server of 1.0 with a card for 1.1, a draft, works as its callers expect.
  if (isNew && candidate.unclaimed && candidate.endpoint.protocolVersion === '0.3')
    void reportVersionMismatch(agent.id, now);
}

function isStreamingUnsupported(error: unknown): boolean {
  return error instanceof ParleyError && (isMethodNotFound(error) || isAgentError(error, -32004));
}

/**
 * Emails the agent's owner, once per card, that the card claims A2A 1.0 but the agent only supports the methods of 0.3.
 * Calls do not wait for it, and a failed email is only logged.
 */
async function reportVersionMismatch(agentId: string, now: Date): Promise<void> {
  try {
    const agent = await recordVersionDowngrade(agentId, now);
    if (!agent) return;
    log.warn('agent.version_downgraded', { agentId, claimed: '1.0', called: '0.3' });
    const { ownerId: userId, slug } = agent;
    const values = { slug, link: `${env().APP_URL}/agents/${slug}` };
    const mail = (texts: Translation): MailText => texts.mail('versionMismatch', values);
    await notifyPerson({ ctx: { now }, input: { userId, kind: 'agent_health', mail } });
  } catch (error) {
    log.warn('agent.owner_notification_failed', { agentId, ...errorFields(error) });
  }
}
