import type { CardCacheInfo } from '../catalog';
import { actorOf } from '../http/actor';
import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { requestIdOf } from '../http/request';
import type { Actor } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { hasCode } from '../platform/errors';

/** A card ready to be sent. */
type ServedCard = CardCacheInfo & { body: string | Uint8Array };

type GetCard = (input: { actor: Actor; slug: string; request: Request }) => Promise<ServedCard>;

const openHeaders = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
/** With a foreign Origin the cookie is not read. */
const vary = 'A2A-Version, Origin';

/**
 * An endpoint that serves a card (A2A 1.0 §8.6): `ETag`, `Last-Modified` and conditional requests; open to all origins
 * and caches unless the agent is private.
 */
export function cardRoute(getCard: GetCard): Endpoint {
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

// Callers send the token they have for the agent; it says nothing about who may see the card, and is no fault.
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
    etag: `"${sha256(card.body).slice(0, 32)}"`,
    'last-modified': card.changedAt.toUTCString(),
    vary,
    'x-request-id': requestId,
    ...(card.isOpen ? openHeaders : { 'cache-control': 'no-store' }),
  });
  if (!isUnchanged(request, headers)) return new Response(card.body as BodyInit, { headers });
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
}

/** RFC 9110 §13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isUnchanged(request: Request, headers: Headers): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes('*') || known.includes(headers.get('etag') ?? '');
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return Date.parse(headers.get('last-modified') ?? '') <= since;
}
