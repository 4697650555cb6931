import type { Endpoint } from '../http/endpoint';
import { publicRoute } from '../http/public-route';
import { describeAgent, describeServer } from '../tokens';

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §3). */
export const serverMetadata: Endpoint = publicRoute(async () => describeServer());

/** `GET /.well-known/oauth-protected-resource/agents/{slug}` (RFC 9728 §3): of every agent that all may see. */
export const resourceMetadata: Endpoint = publicRoute(({ slug = '' }) =>
  describeAgent({ ctx: { actor: { kind: 'anonymous' } }, input: { slug } }),
);
