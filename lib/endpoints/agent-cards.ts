import { getAgentCard, getUpstreamCard } from '../catalog';
import type { Endpoint } from '../http/endpoint';
import { ParleyError } from '../platform/errors';
import { type CallableVersion, majorMinor } from '../protocol/a2a/core/card';
import { cardRoute } from './card-route';

/** `GET /agents/{slug}/.well-known/agent-card.json`: the card Parley answers for, in the version that is asked for. */
export const agentCard: Endpoint = cardRoute(({ actor, slug, request }) =>
  getAgentCard({ ctx: { actor }, input: { slug, version: versionOf(request) } }),
);

/** `GET /agents/{slug}/upstream-card.json`: the agent's own card, bytes as fetched. */
export const upstreamCard: Endpoint = cardRoute(({ actor, slug }) =>
  getUpstreamCard({ ctx: { actor }, input: { slug } }),
);

/** @throws {ParleyError} `version_not_supported` */
function versionOf(request: Request): CallableVersion {
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
