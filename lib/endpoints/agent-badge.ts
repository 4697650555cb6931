import { getStanding, writeBadge } from '../discovery';
import type { Endpoint } from '../http/endpoint';
import { publicText } from '../http/public-route';

/** `GET /agents/{slug}/badge.svg`: how an agent that all may see is, for its own site. */
export const agentBadge: Endpoint = publicText(async ({ slug = '' }) => {
  const standing = await getStanding({ ctx: { actor: { kind: 'anonymous' }, now: new Date() }, input: { slug } });
  return { type: 'image/svg+xml; charset=utf-8', text: writeBadge(standing) };
});
