import { type Cache, createCache, type SizeLimit } from '../../platform/cache';
import { hasCode } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { locateCard, toExternalUrl } from '../cards/card-location';
import { AGENT_CACHE_CHARACTERS, AGENT_CACHE_ENTRIES } from '../limits';
import { type AgentRecord, isHubUrl } from '../record';
import { selectAgentById, selectAgentBySlug, selectAgentsByUrls } from '../store/agent-rows';

const sizeLimit: SizeLimit<AgentRecord | null> = {
  sizeCalculation: (agent) => (agent ? JSON.stringify(agent.card).length : 1),
  maxSize: AGENT_CACHE_CHARACTERS,
};

const bySlug: Cache<AgentRecord | null> = createCache({
  max: AGENT_CACHE_ENTRIES,
  sizeLimit,
  topic: 'agent',
  load: selectAgentBySlug,
});
const byId: Cache<AgentRecord | null> = createCache({
  max: AGENT_CACHE_ENTRIES,
  sizeLimit,
  topic: 'agent',
  load: selectAgentById,
});

/** Returns the agent with a slug in any status, or null. The caller must check visibility (`maySeeAgent`). */
export function findAgent(slug: string): Promise<AgentRecord | null> {
  return isValidKey(slug) ? bySlug.get(slug) : Promise.resolve(null);
}

/** Returns the agent with an id in any status, or null. */
export function findAgentById(id: string): Promise<AgentRecord | null> {
  return isValidKey(id) ? byId.get(id) : Promise.resolve(null);
}

// Other keys were never issued, and PostgreSQL rejects some characters, such as NUL.
function isValidKey(key: string): boolean {
  return /^[\w-]{1,60}$/.test(key);
}

/** The URLs below a listed one at which clients look for its card, or which they call without reading the card. */
const knownPaths = /(?:\/\.well-known\/agent(?:-card)?\.json|\/a2a(?:\/rpc|\/jsonrpc)?)$/;

/**
 * Finds the agent at a URL, in any status, or null. The URL may be the agent's URL on Parley or one below it, the URL
 * under which it is listed, one of the usual card and call URLs below that, or an interface in its card. Fetches
 * nothing, so any text is safe. The caller must check visibility.
 */
export async function findAgentByUrl(text: string): Promise<AgentRecord | null> {
  const slug = slugInOwnUrl(text);
  if (slug !== undefined) return findAgent(slug);
  const listedUrls = isHubUrl(text) ? [text] : listedUrlsOf(text);
  const agents = await selectAgentsByUrls(listedUrls);
  const url = isHubUrl(text) || agents.length === 0 ? text : addressOf(toExternalUrl(text));
  return agents.find((agent) => isNamedBy(agent, url)) ?? null;
}

/** Returns the slug in an agent's URL on Parley, or in a URL below it. */
function slugInOwnUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  const { APP_URL } = env();
  if (!href.startsWith(`${APP_URL}/`)) return undefined;
  return /^\/(?:v1\/)?(?:agents|agent-systems)\/([\w-]+)(?:\/[^?#]*)?$/.exec(href.slice(APP_URL.length))?.[1];
}

/** Returns the URLs under which an agent at this URL may be listed, nearest first; none if it can never be listed. */
function listedUrlsOf(text: string): string[] {
  try {
    return [...new Set(locateCard(text).map(({ listedUrl }) => listedUrl))];
  } catch (error) {
    if (hasCode(error, 'url_refused')) return [];
    throw error;
  }
}

/**
 * Returns true if a URL refers to this agent. Other URLs below a listed URL may belong to another agent, so only known
 * ones count.
 */
function isNamedBy({ url: listedUrl, endpoints }: AgentRecord, url: string): boolean {
  if (url === listedUrl || url.replace(knownPaths, '') === listedUrl) return true;
  return endpoints.some((endpoint) => URL.canParse(endpoint.url) && addressOf(new URL(endpoint.url)) === url);
}

/** Returns the URL without trailing slashes, as in listings. */
function addressOf({ origin, pathname, search }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}${search}`;
}
