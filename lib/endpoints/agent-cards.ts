import { getUpstreamCard } from '../catalog';
import { issueAgentCard, issueMarketplaceCard } from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { ParleyError } from '../platform/errors';
import { type CardShape, majorMinor } from '../protocol/a2a/core/card';
import type { LegacySystem } from '../protocol/a2a/dialects';
import { cardRoute } from './card-route';

/** `GET /agents/{slug}/.well-known/agent-card.json`: the card Parley answers for, in the version that is asked for. */
export const agentCard: Endpoint = cardRoute(({ actor, slug, request }) =>
  issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: shapeOf(request) } }),
);

/** `GET /agents/{slug}/.well-known/agent.json`: the same for callers of A2A 0.1 and 0.2. */
export const agentJson: Endpoint = cardRoute(({ actor, slug }) =>
  issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: '0.1' } }),
);

/** `GET …/.well-known/agent.json` below an agent's path for one system: the card that system's clients read. */
export function legacySystemCard(seed: LegacySystem): Endpoint {
  return cardRoute(({ actor, slug }) =>
    issueAgentCard({ ctx: { actor, now: new Date() }, input: { slug, shape: '0.1', seed } }),
  );
}

/** `GET /.well-known/agent-card.json`: the marketplace itself as an agent. */
export const marketplaceCard: Endpoint = cardRoute(({ actor, request }) =>
  issueMarketplaceCard({ ctx: { actor, now: new Date() }, input: { shape: shapeOf(request) } }),
);

/** `GET /.well-known/agent.json`: the same for callers of A2A 0.1 and 0.2. */
export const marketplaceJson: Endpoint = cardRoute(({ actor }) =>
  issueMarketplaceCard({ ctx: { actor, now: new Date() }, input: { shape: '0.1' } }),
);

/** `GET /agents/{slug}/upstream-card.json`: the agent's own card, bytes as fetched. */
export const upstreamCard: Endpoint = cardRoute(async ({ actor, slug }) => {
  const { bytes, ...standing } = await getUpstreamCard({ ctx: { actor }, input: { slug } });
  return { body: bytes, ...standing };
});

/** @throws {ParleyError} `version_not_supported` */
function shapeOf(request: Request): CardShape {
  const given = request.headers.get('a2a-version') ?? new URL(request.url).searchParams.get('A2A-Version') ?? '';
  const version = majorMinor(given.trim());
  if (version === '' || version === '0.3') return '0.3';
  if (version === '1.0') return '1.0';
  throw new ParleyError(
    'version_not_supported',
    `Found A2A-Version "${given.slice(0, 40)}", expected 1.0 or 0.3, or no header for a card that both can read.`,
    { data: { supported: ['1.0', '0.3'] } },
  );
}
