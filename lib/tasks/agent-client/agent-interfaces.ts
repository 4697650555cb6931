import { LRUCache } from 'lru-cache';
import type { AgentRecord } from '../../catalog';
import { hasCode, ParleyError } from '../../platform/errors';
import { failedBeforeSend } from '../../platform/http-client/safe-fetch';
import { isCallableV1 } from '../../protocol/a2a/core/card';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import { ENDPOINT_PREFERENCE_MS, MAX_CACHED_AGENTS } from '../limits';
import { AgentHttpError, isAgentError } from './agent-error';

type Endpoint = AgentRecord['endpoints'][number];
type CalledAgent = Pick<AgentRecord, 'id' | 'endpoints' | 'updatedAt'>;

interface EndpointPreference {
  /** The time at which the listing was updated. A changed listing invalidates the entry. */
  listingUpdatedAt: number;
  endpoint: string;
  /** True if the endpoint does not support streaming. */
  unaryOnly: boolean;
  expiresAt: number;
}

const preferences = new LRUCache<string, EndpointPreference>({ max: MAX_CACHED_AGENTS });

function keyOf({ url, protocolVersion, binding, tenant }: Endpoint): string {
  return [binding, protocolVersion, tenant ?? '', url].join(' ');
}

/** An endpoint, and a flag to skip streaming if the endpoint does not support it. */
export interface EndpointCandidate {
  endpoint: Endpoint;
  unaryOnly: boolean;
  /**
   * True if the card declares another version for this URL. This candidate is tried if the agent does not support the
   * declared version.
   */
  unclaimed?: true;
}

/** The candidates of a listing in card order, computed once. */
const listedCandidates = new WeakMap<Endpoint[], EndpointCandidate[]>();

function inCardOrder(endpoints: Endpoint[]): EndpointCandidate[] {
  const known = listedCandidates.get(endpoints);
  if (known) return known;
  const candidates = withUnclaimed(endpoints).map((candidate) => ({ ...candidate, unaryOnly: false }));
  listedCandidates.set(endpoints, candidates);
  return candidates;
}

/**
 * Returns the card's endpoints, followed by those declared for 1.1 as 1.0 endpoints, and those declared only for 1.x as
 * 0.3 endpoints, because some cards claim a later version than their server supports.
 */
function withUnclaimed(endpoints: Endpoint[]): Omit<EndpointCandidate, 'unaryOnly'>[] {
  const keys = new Set(endpoints.map(keyOf));
  const older = [
    ...endpoints
      .filter(({ protocolVersion }) => protocolVersion === '1.1')
      .map((endpoint): Endpoint => ({ ...endpoint, protocolVersion: '1.0' })),
    ...endpoints
      .filter(
        ({ protocolVersion, binding }) => isCallableV1(protocolVersion) && binding !== 'GRPC' && binding !== 'MCP',
      )
      .map((endpoint): Endpoint => ({ ...endpoint, protocolVersion: '0.3' })),
  ].filter((endpoint) => !keys.has(keyOf(endpoint)) && keys.add(keyOf(endpoint)));
  return [
    ...endpoints.map((endpoint) => ({ endpoint })),
    ...older.map((endpoint) => ({ endpoint, unclaimed: true as const })),
  ];
}

/**
 * Returns the agent's endpoints in the order in which they are tried: the last one that worked, then the others in card
 * order.
 */
export function orderEndpoints(agent: CalledAgent, now: number): EndpointCandidate[] {
  const known = preferences.get(agent.id);
  const valid = known && known.listingUpdatedAt === agent.updatedAt.getTime() && now < known.expiresAt ? known : null;
  if (!valid) return inCardOrder(agent.endpoints);
  const isKnown = (endpoint: Endpoint): boolean => keyOf(endpoint) === valid.endpoint;
  const listed = inCardOrder(agent.endpoints).map((candidate) =>
    isKnown(candidate.endpoint) && valid.unaryOnly ? { ...candidate, unaryOnly: true } : candidate,
  );
  return [
    ...listed.filter(({ endpoint }) => isKnown(endpoint)),
    ...listed.filter(({ endpoint }) => !isKnown(endpoint)),
  ];
}

/** Saves the endpoint that worked, unless it is the first one. Returns true if the preference has changed. */
export function saveEndpointPreference(agent: CalledAgent, answered: EndpointCandidate, now: number): boolean {
  if (!preferences.has(agent.id) && answered.endpoint === agent.endpoints[0] && !answered.unaryOnly) return false;
  const endpoint = keyOf(answered.endpoint);
  const known = preferences.get(agent.id);
  if (known?.endpoint === endpoint && known.unaryOnly === answered.unaryOnly && now < known.expiresAt) return false;
  preferences.set(agent.id, {
    listingUpdatedAt: agent.updatedAt.getTime(),
    endpoint,
    unaryOnly: answered.unaryOnly,
    expiresAt: now + ENDPOINT_PREFERENCE_MS,
  });
  return true;
}

/** Returns true if the agent does not support the method or path. */
export function isMethodNotFound(error: unknown): boolean {
  if (error instanceof AgentHttpError) return error.status === 404 || error.status === 405;
  return error instanceof ParleyError && isAgentError(error, -32601);
}

/** Returns true if another endpoint may be tried, because this one did not process the request. */
export function shouldTryNextEndpoint(error: unknown, request: AgentRequest): boolean {
  const wasNotProcessed = failedBeforeSend(error) || isMethodNotFound(error) || hasCode(error, 'url_refused');
  return wasNotProcessed || (isRead(request) && isOutage(error));
}

/**
 * Returns true if the error may mean that the server supports only an older version. Servers reject an unknown method
 * as an invalid request (A2A 0.1, a2a-python before 0.3), as an unsupported version (-32009), or with a bare status.
 * Such an error counts as "unprocessed" only if the same URL may support another version.
 */
export function maySupportOlderVersion(error: unknown, { agent, candidate, candidates }: Tried): boolean {
  const { endpoint } = candidate;
  if (!mayBeUnknownMethod(error)) return false;
  if (isCallableV1(endpoint.protocolVersion))
    return candidates.some((other) => other.unclaimed && isOlder(other, candidate) && isSameEndpoint(other, candidate));
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
  return error instanceof ParleyError && unknownMethodCodes.some((code) => isAgentError(error, code));
}

function isOlder({ endpoint: one }: EndpointCandidate, { endpoint: other }: EndpointCandidate): boolean {
  return one.protocolVersion < other.protocolVersion;
}

function isSameEndpoint({ endpoint: one }: EndpointCandidate, { endpoint: other }: EndpointCandidate): boolean {
  return one.url === other.url && one.binding === other.binding && one.tenant === other.tenant;
}

/**
 * Returns true if an unclaimed version should be tried: first if it worked recently, otherwise only if the claimed
 * version is unknown.
 */
export function shouldTryUnclaimed(
  candidate: EndpointCandidate,
  candidates: EndpointCandidate[],
  failure: unknown,
): boolean {
  return candidate === candidates[0] || mayBeUnknownMethod(failure);
}

/** Returns true if a second round is safe to send and may succeed. */
export function shouldRetry(error: unknown, request: AgentRequest): boolean {
  if (hasCode(error, 'url_refused')) return false;
  return failedBeforeSend(error) || (isRead(request) && isOutage(error));
}

function isRead({ op }: AgentRequest): boolean {
  return op === 'get' || op === 'subscribe' || op === 'extended-card';
}

function isOutage(error: unknown): boolean {
  return hasCode(error, 'agent_unreachable') || (error instanceof AgentHttpError && error.status >= 502);
}
