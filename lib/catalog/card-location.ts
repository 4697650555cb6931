import { ParleyError } from '../platform/errors';
import { checkExternalUrl } from '../platform/safe-fetch';

const wellKnown = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** Path segments of an address above which no card is looked for. */
const maxParents = 6;

/** One place where a card may be. */
export interface CardCandidate {
  cardUrl: string;
  /** The address under which an agent is listed whose card is found here: one spelling per agent. */
  listedUrl: string;
  /** Where an agent takes calls when its card names no address, as on Web42; null for a card at a place of its own. */
  assumedEndpoint: string | null;
  /** Nothing says that a card is here: a page or an endpoint may answer as well. */
  isGuess: boolean;
}

/**
 * Where the card of an address that somebody wants to register is looked for, in order: at the address itself when it has a
 * path or a query, at its well-known places, and at those of every path above it, so that the address of an endpoint leads to
 * the card at its origin. The address of a card is taken as it is, with its query, which names the agent on servers that
 * have many (`…/agent-card.json?assistant_id=…`); of the two well-known names the other one is tried as well.
 * @throws {ParleyError} `url_refused`
 */
export function locateCard(text: string): CardCandidate[] {
  const url = checkExternalUrl(withScheme(text.trim()));
  const known = wellKnown.find((path) => url.pathname.endsWith(path));
  if (known) {
    const base = `${url.origin}${url.pathname.slice(0, -known.length).replace(/\/+$/, '')}`;
    const candidates = wellKnownOf(base, url.search);
    return known === wellKnown[0] ? candidates : candidates.reverse();
  }
  if (url.pathname.endsWith('.json')) {
    return [{ cardUrl: url.href, listedUrl: url.href, assumedEndpoint: null, isGuess: false }];
  }
  const bases = basesOf(url);
  const [base = url.origin] = bases;
  return [
    ...(url.pathname === '/' && url.search === '' ? [] : [exactCandidate(url, base)]),
    ...(url.search === '' ? [] : wellKnownOf(base, url.search)),
    ...bases.flatMap((each) => wellKnownOf(each, '')),
  ];
}

/**
 * The candidates for the card of an agent that is listed at an address: those that lead to this listing.
 * @throws {ParleyError} `url_refused`
 */
export function locateListedCard(listedUrl: string): CardCandidate[] {
  return locateCard(listedUrl).filter((candidate) => candidate.listedUrl === listedUrl);
}

function wellKnownOf(base: string, query: string): CardCandidate[] {
  return wellKnown.map((path) => ({
    cardUrl: `${base}${path}${query}`,
    listedUrl: query === '' ? base : `${base}${wellKnown[0]}${query}`,
    assumedEndpoint: `${base}/a2a/jsonrpc`,
    isGuess: false,
  }));
}

function exactCandidate(url: URL, base: string): CardCandidate {
  const listedUrl = url.search === '' ? base : url.href;
  return { cardUrl: url.href, listedUrl, assumedEndpoint: `${base}/a2a/jsonrpc`, isGuess: true };
}

/** The address without its query and last slashes, and everything above it up to the origin. */
function basesOf({ origin, pathname }: URL): string[] {
  const segments = pathname.replace(/\/+$/, '').split('/').slice(1);
  const lengths = segments.map((_segment, index) => segments.length - index).slice(0, maxParents);
  return [...lengths.map((length) => `${origin}/${segments.slice(0, length).join('/')}`), origin];
}

/**
 * People type addresses as they see them in the browser: names with a dot are reached by https. Of others the scheme is not
 * known.
 */
function withScheme(text: string): string {
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(:\d+)?([/?]|$)/i.test(text)) return `https://${text}`;
  if (/^([a-z0-9-]+:\d+|localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?([/?]|$)/i.test(text)) throw missingScheme(text);
  return text;
}

function missingScheme(text: string): ParleyError {
  const shown = text.slice(0, 200);
  const suggestion = `http://${shown}`;
  return new ParleyError(
    'url_refused',
    `"${shown}" lacks a scheme. Write ${suggestion}, or https://${shown} if the agent speaks TLS.`,
    { data: { suggestion } },
  );
}
