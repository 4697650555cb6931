import type { AgentRecord } from '../../catalog';
import { NewestMap } from '../../platform/newest-map';
import { shared } from '../../platform/registry';

type Endpoint = AgentRecord['endpoints'][number];
type Called = Pick<AgentRecord, 'id' | 'endpoints' | 'updatedAt'>;

interface Memory {
  /** The listing as it was then; a changed one begins anew. */
  listing: number;
  endpoint: string;
  /** It did not know how to stream. */
  plain: boolean;
  until: number;
}

const maxKept = 10_000;
/** After this the card's own order is tried again, milliseconds. */
const keptMs = 600_000;

function memories(): Map<string, Memory> {
  return shared('agent-endpoints', () => new NewestMap(maxKept));
}

function keyOf({ url, protocolVersion, binding, tenant }: Endpoint): string {
  return [binding, protocolVersion, tenant ?? '', url].join(' ');
}

/** One of an agent's endpoints, and whether it is asked plainly because it does not know how to stream. */
export interface Place {
  endpoint: Endpoint;
  plain: boolean;
  /** The card names the address for another version than this: it is tried where the agent does not know that one. */
  unclaimed?: true;
}

/** The places of an agent's listing in the card's own order, made once for each. */
const listedPlaces = new WeakMap<Endpoint[], Place[]>();

function asListed(endpoints: Endpoint[]): Place[] {
  const known = listedPlaces.get(endpoints);
  if (known) return known;
  const places = withUnclaimed(endpoints).map((place) => ({ ...place, plain: false }));
  listedPlaces.set(endpoints, places);
  return places;
}

/**
 * The endpoints of the card, and after them in 0.3 those that it names for 1.0 alone: cards claim 1.0 for servers that only
 * know the methods of 0.3.
 */
function withUnclaimed(endpoints: Endpoint[]): Omit<Place, 'plain'>[] {
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
export function orderEndpoints(agent: Called, now: number): Place[] {
  const known = memories().get(agent.id);
  const valid = known && known.listing === agent.updatedAt.getTime() && now < known.until ? known : null;
  if (!valid) return asListed(agent.endpoints);
  const isKnown = (endpoint: Endpoint): boolean => keyOf(endpoint) === valid.endpoint;
  const listed = asListed(agent.endpoints).map((place) =>
    isKnown(place.endpoint) && valid.plain ? { ...place, plain: true } : place,
  );
  return [
    ...listed.filter(({ endpoint }) => isKnown(endpoint)),
    ...listed.filter(({ endpoint }) => !isKnown(endpoint)),
  ];
}

/** Remembers which endpoint answered, when it is not simply the first. True when that was not known. */
export function rememberEndpoint(agent: Called, answered: Place, now: number): boolean {
  const all = memories();
  if (!all.has(agent.id) && answered.endpoint === agent.endpoints[0] && !answered.plain) return false;
  const endpoint = keyOf(answered.endpoint);
  const known = all.get(agent.id);
  if (known?.endpoint === endpoint && known.plain === answered.plain && now < known.until) return false;
  all.set(agent.id, { listing: agent.updatedAt.getTime(), endpoint, plain: answered.plain, until: now + keptMs });
  return true;
}
