import { actorOf } from '../../http/credentials';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { Handler, HttpRequest, HttpResponse } from '../../http/handler';
import { queryOf, requestIdOf } from '../../http/request';
import { a2aVersionOf } from '../../http/request-headers';
import { etagOf } from '../../http/respond';
import type { Actor } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { type CardShape, majorMinor } from '../../protocol/a2a/core/card';
import type { LegacySystem } from '../../protocol/a2a/dialects';
import { issueAgentCard, issueMarketplaceCard } from '../../tasks';
import { type CardCacheInfo, getUpstreamCard } from '..';
import { CARD_CACHE_SECONDS } from '../limits';

/** A call URL or its parent path, and the legacy system whose format it uses. */
type Mount = [base: string, system?: LegacySystem];

/**
 * Call URLs and their parent paths, each of which has a card: SDKs append the card's path to the URL that a user
 * enters, or resolve it against that URL, which drops its last segment.
 */
const agentMounts: Mount[] = [
  ['/agents/:slug'],
  ['/agents/:slug/a2a'],
  ['/agents/:slug/a2a/jsonrpc'],
  ['/agents/:slug/a2a/rest'],
  ['/agents/:slug/a2a/rest/v1'],
  ['/agents/:slug/a2a/rpc', 'agentos'],
  ['/agents/:slug/society', 'society'],
  ['/agents/:slug/tasks', 'societyai'],
  ['/agents/:slug/tasks/process', 'societyai'],
  ['/v1/agent-systems/:slug', 'orloj'],
  ['/v1/agent-systems/:slug/a2a', 'orloj'],
  ['/v1/agents/:slug', 'orloj'],
  ['/v1/agents/:slug/a2a', 'orloj'],
];

/** The same for URLs without an agent, whose card is the marketplace's. */
const marketplaceMounts: Mount[] = [
  [''],
  ['/a2a'],
  ['/a2a/jsonrpc'],
  ['/a2a/rpc', 'agentos'],
  ['/tasks', 'societyai'],
  ['/tasks/process', 'societyai'],
];

const issueForAgent: IssueCard = ({ actor, slug, ...input }) =>
  issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, ...input } });

const issueForMarketplace: IssueCard = ({ actor, slug: _, ...input }) =>
  issueMarketplaceCard({ ctx: { actor, now: new Date() }, input });

/**
 * Every card, under both of its names: `agent-card.json` in the requested A2A version, `agent.json` in 0.1. Clients of
 * a legacy system read either name and send no version, so both names serve that system's card there.
 */
export const cardEndpoints: Endpoint[] = [
  ...agentMounts.flatMap((mount) => cardsBelow(mount, issueForAgent)),
  ...marketplaceMounts.flatMap((mount) => cardsBelow(mount, issueForMarketplace)),
];

function cardsBelow([base, system]: Mount, issue: IssueCard): Endpoint[] {
  const legacy = { shape: '0.1', system } as const;
  const folder = `${base}/.well-known`;
  return [
    endpoint({
      method: 'GET',
      path: `${folder}/agent-card.json`,
      serve: cardRoute(({ actor, slug, request }) => {
        const isLegacy = system !== undefined && requestedVersion(request) === '';
        return issue({ actor, slug, ...(isLegacy ? legacy : { shape: shapeOf(request) }) });
      }),
    }),
    endpoint({
      method: 'GET',
      path: `${folder}/agent.json`,
      serve: cardRoute(({ actor, slug }) => issue({ actor, slug, ...legacy })),
    }),
  ];
}

/** The agent's own card, exactly as fetched. */
export const upstreamCard = endpoint({
  method: 'GET',
  path: '/agents/:slug/upstream-card.json',
  serve: cardRoute(async ({ actor, slug }) => {
    const { bytes, ...cacheInfo } = await getUpstreamCard({ ctx: { actor }, input: { slug } });
    return { body: bytes, ...cacheInfo };
  }),
});

function requestedVersion(request: HttpRequest): string {
  return a2aVersionOf(request, queryOf(request)).trim();
}

/**
 * Returns the shape of the card for the requested version.
 * @throws {ParleyError} `version_not_supported`
 */
function shapeOf(request: HttpRequest): CardShape {
  const given = requestedVersion(request);
  const version = majorMinor(given);
  if (version === '' || version === '0.3') return '0.3';
  if (version === '1.0' || version === '1.1') return version;
  throw new ParleyError(
    'version_not_supported',
    `Found A2A-Version "${given.slice(0, 40)}"; expected 1.0 or 0.3, or no header for a card that clients of both versions can read.`,
    { data: { supported: ['1.0', '0.3'] } },
  );
}

/** A card and its cache information. */
type ServedCard = CardCacheInfo & { body: string | Uint8Array };

type GetCard = (input: { actor: Actor; slug: string; request: HttpRequest }) => Promise<ServedCard>;
type IssueCard = (input: {
  actor: Actor;
  slug: string;
  shape: CardShape;
  system?: LegacySystem;
}) => Promise<ServedCard>;

const openHeaders = { 'cache-control': `public, max-age=${CARD_CACHE_SECONDS}`, 'access-control-allow-origin': '*' };
/** `Origin`, because cross-origin requests ignore the cookie. */
const vary = 'A2A-Version, Origin';

/**
 * Returns a handler that serves a card (A2A 1.0 §8.6) with `ETag`, `Last-Modified` and conditional requests. Open to
 * all origins and caches unless the agent is private.
 */
function cardRoute(getCard: GetCard): Handler {
  return async (request, { params }) => {
    const requestId = requestIdOf(request);
    try {
      const card = await getCard({ actor: await viewerOf(request), slug: params.slug ?? '', request });
      return toResponse(card, request, requestId);
    } catch (error) {
      const { status, body, headers } = problemOf(error, requestId);
      return { status, body, headers: { ...headers, vary } };
    }
  };
}

/**
 * Returns the viewer of a card. An agent token does not authenticate a viewer, but is not an error either, because
 * clients may send it.
 */
async function viewerOf(request: HttpRequest): Promise<Actor> {
  try {
    return await actorOf(request, new Date());
  } catch (error) {
    if (hasCode(error, 'invalid_token')) return { kind: 'anonymous' };
    throw error;
  }
}

function toResponse(card: ServedCard, request: HttpRequest, requestId: string): HttpResponse {
  const headers = {
    'x-content-type-options': 'nosniff',
    etag: etagOf(card.body),
    'last-modified': card.changedAt.toUTCString(),
    vary,
    'x-request-id': requestId,
    ...(card.isOpen ? openHeaders : { 'cache-control': 'no-store' }),
  };
  if (isUnchanged(request, headers)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body: card.body };
}

/**
 * Returns true if the card is unchanged. `If-Modified-Since` is ignored if `If-None-Match` is present (RFC 9110
 * §13.2.2).
 */
function isUnchanged(request: HttpRequest, headers: { etag: string; 'last-modified': string }): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes('*') || known.includes(headers.etag);
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return Date.parse(headers['last-modified']) <= since;
}
