import { checkEgressUrl } from '../platform/safe-fetch';

const wellKnown = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** Where the card of a registered address is looked for. */
export interface CardLocation {
  /** The address as it is kept: one spelling per agent. */
  url: string;
  /** Addresses to fetch the card from, in this order. */
  candidates: string[];
  /** Where an agent takes calls when its card names no address, as on Web42; null for a card at a place of its own. */
  assumedEndpoint: string | null;
}

/**
 * Reads the address somebody wants to register: the agent's base, one of its two well-known card addresses, or a card
 * elsewhere (a path that ends in `.json`). A path before `/.well-known/` is kept.
 * @throws {ParleyError} `url_refused`
 */
export function locateCard(text: string): CardLocation {
  const url = checkEgressUrl(withScheme(text.trim()));
  const known = wellKnown.find((path) => url.pathname.endsWith(path));
  if (!known && url.pathname.endsWith('.json')) {
    return { url: url.href, candidates: [url.href], assumedEndpoint: null };
  }
  const path = known ? url.pathname.slice(0, -known.length) : url.pathname;
  const base = `${url.origin}${path.replace(/\/+$/, '')}`;
  return { url: base, candidates: wellKnown.map((name) => base + name), assumedEndpoint: `${base}/a2a/jsonrpc` };
}

// People type addresses as they see them in the browser.
function withScheme(text: string): string {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/|$)/i.test(text) ? `https://${text}` : text;
}
