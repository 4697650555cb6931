import { type CardCacheInfo, getUpstreamCard } from '../../catalog';
import { issueAgentCard, issueMarketplaceCard } from '../../gateway';
import { actorOf } from '../../http/actor';
import { etagOf } from '../../http/etag';
import type { Handler } from '../../http/handler';
import { renderProblem } from '../../http/render-error';
import { queryOf, requestIdOf } from '../../http/request';
import { a2aVersionOf } from '../../http/request-headers';
import type { Actor } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { type CardShape, majorMinor } from '../../protocol/a2a/core/card';
import type { LegacySystem } from '../../protocol/a2a/dialects';
import { endpoint } from '../endpoint';
import { CARD_CACHE_SECONDS } from '../limits';

/** The card in the requested A2A version. */
export const agentCard = endpoint({
  method: 'GET',
  path: '/agents/:slug/.well-known/agent-card.json',
  serve: cardRoute(({ actor, slug, request }) =>
    issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: shapeOf(request) } }),
  ),
});

/** The card for callers of A2A 0.1 and 0.2. */
export const agentJson = endpoint({
  method: 'GET',
  path: '/agents/:slug/.well-known/agent.json',
  serve: cardRoute(({ actor, slug }) =>
    issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: '0.1' } }),
  ),
});

/** The card at `/.well-known/agent.json` below an agent's path for a legacy system. */
export function legacySystemCard(system: LegacySystem): Handler {
  return cardRoute(({ actor, slug }) =>
    issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: '0.1', system } }),
  );
}

/** The marketplace as an agent. */
export const marketplaceCard = endpoint({
  method: 'GET',
  path: '/.well-known/agent-card.json',
  serve: cardRoute(({ actor, request }) =>
    issueMarketplaceCard({ ctx: { actor, now: new Date() }, input: { shape: shapeOf(request) } }),
  ),
});

/** The marketplace as an agent, for callers of A2A 0.1 and 0.2. */
export const marketplaceJson = endpoint({
  method: 'GET',
  path: '/.well-known/agent.json',
  serve: cardRoute(({ actor }) => issueMarketplaceCard({ ctx: { actor, now: new Date() }, input: { shape: '0.1' } })),
});

/** The agent's own card, byte for byte as fetched. */
export const upstreamCard = endpoint({
  method: 'GET',
  path: '/agents/:slug/upstream-card.json',
  serve: cardRoute(async ({ actor, slug }) => {
    const { bytes, ...cacheInfo } = await getUpstreamCard({ ctx: { actor }, input: { slug } });
    return { body: bytes, ...cacheInfo };
  }),
});

/** @throws {ParleyError} `version_not_supported` */
function shapeOf(request: Request): CardShape {
  const given = a2aVersionOf(request, queryOf(request));
  const version = majorMinor(given.trim());
  if (version === '' || version === '0.3') return '0.3';
  if (version === '1.0') return '1.0';
  throw new ParleyError(
    'version_not_supported',
    `Found A2A-Version "${given.slice(0, 40)}"; expected 1.0 or 0.3, or no header for a card that clients of both versions can read.`,
    { data: { supported: ['1.0', '0.3'] } },
  );
}

/** A card and its cache information. */
type ServedCard = CardCacheInfo & { body: string | Uint8Array };

type GetCard = (input: { actor: Actor; slug: string; request: Request }) => Promise<ServedCard>;

const openHeaders = { 'cache-control': `public, max-age=${CARD_CACHE_SECONDS}`, 'access-control-allow-origin': '*' };
/** Cross-origin requests do not use the cookie. */
const vary = 'A2A-Version, Origin';

/**
 * A handler that serves a card (A2A 1.0 §8.6) with `ETag`, `Last-Modified` and conditional requests. Open to all
 * origins and caches unless the agent is private.
 */
function cardRoute(getCard: GetCard): Handler {
  return async (request, { params }) => {
    const requestId = requestIdOf(request);
    try {
      const card = await getCard({ actor: await viewerOf(request), slug: params.slug ?? '', request });
      return toResponse(card, request, requestId);
    } catch (error) {
      const response = renderProblem(error, requestId);
      response.headers.set('vary', vary);
      return response;
    }
  };
}

/** Clients may send their agent token, which does not authenticate a viewer of the card; that is not an error. */
async function viewerOf(request: Request): Promise<Actor> {
  try {
    return await actorOf(request, new Date());
  } catch (error) {
    if (hasCode(error, 'invalid_token')) return { kind: 'anonymous' };
    throw error;
  }
}

function toResponse(card: ServedCard, request: Request, requestId: string): Response {
  const headers = new Headers({
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    etag: etagOf(card.body),
    'last-modified': card.changedAt.toUTCString(),
    vary,
    'x-request-id': requestId,
    ...(card.isOpen ? openHeaders : { 'cache-control': 'no-store' }),
  });
  if (!isUnchanged(request, headers)) return new Response(card.body as BodyInit, { headers });
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
}

/** `If-Modified-Since` is ignored if `If-None-Match` is present (RFC 9110 §13.2.2). */
function isUnchanged(request: Request, headers: Headers): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes('*') || known.includes(headers.get('etag') ?? '');
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return Date.parse(headers.get('last-modified') ?? '') <= since;
}
