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

/** The agent's endpoints in the order in which to try them: the one that answered lately, then as the card says. */
export function orderEndpoints(agent: Called, now: number): { endpoint: Endpoint; plain: boolean }[] {
  const known = memories().get(agent.id);
  const valid = known && known.listing === agent.updatedAt.getTime() && now < known.until ? known : null;
  const isKnown = (endpoint: Endpoint): boolean => keyOf(endpoint) === valid?.endpoint;
  const listed = agent.endpoints.map((endpoint) => ({ endpoint, plain: isKnown(endpoint) && valid?.plain === true }));
  return [
    ...listed.filter(({ endpoint }) => isKnown(endpoint)),
    ...listed.filter(({ endpoint }) => !isKnown(endpoint)),
  ];
}

/** Remembers which endpoint answered, when it is not simply the first. */
export function rememberEndpoint(agent: Called, answered: { endpoint: Endpoint; plain: boolean }, now: number): void {
  const all = memories();
  const endpoint = keyOf(answered.endpoint);
  if (!all.has(agent.id) && endpoint === keyOf(agent.endpoints[0]) && !answered.plain) return;
  const known = all.get(agent.id);
  if (known?.endpoint === endpoint && known.plain === answered.plain && now < known.until) return;
  all.set(agent.id, { listing: agent.updatedAt.getTime(), endpoint, plain: answered.plain, until: now + keptMs });
}
