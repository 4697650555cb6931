import type { AgentRecord } from '../../catalog';
import { BoundedMap } from '../../platform/bounded-map';
import { processSingleton } from '../../platform/singleton';

type Endpoint = AgentRecord['endpoints'][number];
type CalledAgent = Pick<AgentRecord, 'id' | 'endpoints' | 'updatedAt'>;

interface EndpointPreference {
  /** The listing as it was then; a changed one begins anew. */
  listingUpdatedAt: number;
  endpoint: string;
  /** It did not know how to stream. */
  plain: boolean;
  expiresAt: number;
}

const maxEntries = 10_000;
/** After this the card's own order is tried again, milliseconds. */
const ttlMs = 600_000;

function preferences(): Map<string, EndpointPreference> {
  return processSingleton('agent-endpoints', () => new BoundedMap(maxEntries));
}

function keyOf({ url, protocolVersion, binding, tenant }: Endpoint): string {
  return [binding, protocolVersion, tenant ?? '', url].join(' ');
}

/** One of an agent's endpoints, and whether it is asked plainly because it does not know how to stream. */
export interface EndpointCandidate {
  endpoint: Endpoint;
  plain: boolean;
  /** The card names the address for another version than this: it is tried where the agent does not know that one. */
  unclaimed?: true;
}

/** The places of an agent's listing in the card's own order, made once for each. */
const listedCandidates = new WeakMap<Endpoint[], EndpointCandidate[]>();

function inCardOrder(endpoints: Endpoint[]): EndpointCandidate[] {
  const known = listedCandidates.get(endpoints);
  if (known) return known;
  const candidates = withUnclaimed(endpoints).map((candidate) => ({ ...candidate, plain: false }));
  listedCandidates.set(endpoints, candidates);
  return candidates;
}

/**
 * The endpoints of the card, and after them in 0.3 those that it names for 1.0 alone: cards claim 1.0 for servers that only
 * know the methods of 0.3.
 */
function withUnclaimed(endpoints: Endpoint[]): Omit<EndpointCandidate, 'plain'>[] {
  const keys = new Set(endpoints.map(keyOf));
  const older = endpoints
    .filter(({ protocolVersion }) => protocolVersion === '1.0')
    .map((endpoint): Endpoint => ({ ...endpoint, protocolVersion: '0.3' }))
    .filter((endpoint) => !keys.has(keyOf(endpoint)));
  return [
    ...endpoints.map((endpoint) => ({ endpoint })),
    ...older.map((endpoint) => ({ endpoint, unclaimed: true as const })),
  ];
}

/** The agent's endpoints in the order in which to try them: the one that answered lately, then as the card says. */
export function orderEndpoints(agent: CalledAgent, now: number): EndpointCandidate[] {
  const known = preferences().get(agent.id);
  const valid = known && known.listingUpdatedAt === agent.updatedAt.getTime() && now < known.expiresAt ? known : null;
  if (!valid) return inCardOrder(agent.endpoints);
  const isKnown = (endpoint: Endpoint): boolean => keyOf(endpoint) === valid.endpoint;
  const listed = inCardOrder(agent.endpoints).map((candidate) =>
    isKnown(candidate.endpoint) && valid.plain ? { ...candidate, plain: true } : candidate,
  );
  return [
    ...listed.filter(({ endpoint }) => isKnown(endpoint)),
    ...listed.filter(({ endpoint }) => !isKnown(endpoint)),
  ];
}

/** Remembers which endpoint answered, when it is not simply the first. True when that was not known. */
export function saveEndpointPreference(agent: CalledAgent, answered: EndpointCandidate, now: number): boolean {
  const all = preferences();
  if (!all.has(agent.id) && answered.endpoint === agent.endpoints[0] && !answered.plain) return false;
  const endpoint = keyOf(answered.endpoint);
  const known = all.get(agent.id);
  if (known?.endpoint === endpoint && known.plain === answered.plain && now < known.expiresAt) return false;
  all.set(agent.id, {
    listingUpdatedAt: agent.updatedAt.getTime(),
    endpoint,
    plain: answered.plain,
    expiresAt: now + ttlMs,
  });
  return true;
}
