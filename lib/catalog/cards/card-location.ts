import { ParleyError } from '../../platform/errors';
import { checkExternalUrl } from '../../platform/http-client/external-urls';
import { MAX_PARENT_PATHS, MAX_QUOTED_URL } from '../limits';

const wellKnownPaths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** A URL that may serve a card. */
export interface CardCandidate {
  cardUrl: string;
  /** The URL under which the agent is listed if its card is found here. Normalized, so that one agent has one URL. */
  listedUrl: string;
  /**
   * The endpoint of an agent whose card contains no URL, as on Web42; null for a card outside of the well-known paths.
   */
  assumedEndpoint: string | null;
  /** True if the URL may instead be that of a page or an endpoint. */
  isGuess: boolean;
}

/**
 * Returns the URLs that may serve the card of an agent with this URL, in order: the URL itself, its well-known paths,
 * and those of every parent path up to the origin. For the URL of a card, returns only this URL and, if its path is
 * well-known, the other well-known path. A card URL keeps its query, which selects the agent on some servers
 * (`?assistant_id=…`).
 * @throws {ParleyError} `url_refused`
 */
export function locateCard(text: string): CardCandidate[] {
  const url = toExternalUrl(text);
  const suffix = wellKnownPaths.find((path) => url.pathname.endsWith(path));
  if (suffix) {
    const base = `${url.origin}${url.pathname.slice(0, -suffix.length).replace(/\/+$/, '')}`;
    const candidates = wellKnownCandidates(base, url.search);
    return suffix === wellKnownPaths[0] ? candidates : candidates.reverse();
  }
  if (url.pathname.endsWith('.json')) {
    return [{ cardUrl: url.href, listedUrl: url.href, assumedEndpoint: null, isGuess: false }];
  }
  const bases = basesOf(url);
  const [base = url.origin] = bases;
  return [
    ...(url.pathname === '/' && url.search === '' ? [] : [exactCandidate(url, base)]),
    ...(url.search === '' ? [] : wellKnownCandidates(base, url.search)),
    ...bases.flatMap((parent) => wellKnownCandidates(parent, '')),
  ];
}

/**
 * Parses the URL that a user entered for an agent, which may lack a scheme.
 * @throws {ParleyError} `url_refused`
 */
export function toExternalUrl(text: string): URL {
  return checkExternalUrl(withScheme(text.trim()));
}

/**
 * Returns the URLs that may serve the card of a listed agent: those that map to its listed URL.
 * @throws {ParleyError} `url_refused`
 */
export function locateListedCard(listedUrl: string): CardCandidate[] {
  return locateCard(listedUrl).filter((candidate) => candidate.listedUrl === listedUrl);
}

function wellKnownCandidates(base: string, query: string): CardCandidate[] {
  return wellKnownPaths.map((path) => ({
    cardUrl: `${base}${path}${query}`,
    listedUrl: query === '' ? base : `${base}${wellKnownPaths[0]}${query}`,
    assumedEndpoint: `${base}/a2a/jsonrpc`,
    isGuess: false,
  }));
}

function exactCandidate(url: URL, base: string): CardCandidate {
  const listedUrl = url.search === '' ? base : url.href;
  return { cardUrl: url.href, listedUrl, assumedEndpoint: `${base}/a2a/jsonrpc`, isGuess: true };
}

/** Returns the URL without query and trailing slashes, and its parent paths up to the origin. */
function basesOf({ origin, pathname }: URL): string[] {
  const segments = pathname.replace(/\/+$/, '').split('/').slice(1);
  const lengths = segments.map((_segment, index) => segments.length - index).slice(0, MAX_PARENT_PATHS);
  return [...lengths.map((length) => `${origin}/${segments.slice(0, length).join('/')}`), origin];
}

/** Adds `https://` to a host name with a dot, as browsers do. For other hosts, the scheme is ambiguous. */
function withScheme(text: string): string {
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(:\d+)?([/?]|$)/i.test(text)) return `https://${text}`;
  if (/^([a-z0-9-]+:\d+|localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?([/?]|$)/i.test(text)) throw missingScheme(text);
  return text;
}

function missingScheme(text: string): ParleyError {
  const shown = text.slice(0, MAX_QUOTED_URL);
  const suggestion = `http://${shown}`;
  return new ParleyError(
    'url_refused',
    `"${shown}" has no scheme. Use ${suggestion}, or https://${shown} if the agent uses TLS.`,
    { data: { suggestion } },
  );
}
