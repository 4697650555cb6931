import { getRanking, renderBadge } from '../discovery';
import type { Endpoint } from '../http/endpoint';
import { cachedTextRoute } from '../http/routes/cached-document';

/** `GET /agents/{slug}/badge.svg`: how an agent that all may see is, for its own site. */
export const agentBadge: Endpoint = cachedTextRoute(async ({ slug = '' }) => {
  const standing = await getRanking({ ctx: { actor: { kind: 'anonymous' }, now: new Date() }, input: { slug } });
  return { type: 'image/svg+xml; charset=utf-8', text: renderBadge(standing) };
});
