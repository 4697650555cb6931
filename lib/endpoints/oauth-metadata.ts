import type { Endpoint } from '../http/endpoint';
import { describedResource } from '../http/resource';
import { cachedJsonRoute } from '../http/routes/cached-document';
import { ParleyError } from '../platform/errors';
import { describeAgent, describeApi, describeServer } from '../tokens';
import { compileRoutes } from './match';
import type { Route } from './route';

const anonymous = { actor: { kind: 'anonymous' } } as const;

/** `GET /.well-known/oauth-authorization-server` (RFC 8414 §3). */
export const serverMetadata: Endpoint = cachedJsonRoute(async () => describeServer());

/** `GET /.well-known/oauth-protected-resource/agents/{slug}` (RFC 9728 §3): of every agent that all may see. */
export const resourceMetadata: Endpoint = cachedJsonRoute(({ slug = '' }) =>
  describeAgent({ ctx: anonymous, input: { slug } }),
);

/**
 * `GET /.well-known/oauth-protected-resource` and everything below it (RFC 9728 §3.3): of every address among `rows` that takes
 * bearer tokens. The `resource` is the address that was called, to the letter.
 */
export function endpointMetadataOf(routes: Route[]): Endpoint {
  const matcher = compileRoutes(routes);
  return cachedJsonRoute(async (_, request) => {
    const { href, pathname } = describedResource(request);
    const [found] = matcher.routesAt(pathname).filter(({ route: row }) => takesBearer(row));
    if (!found) throw new ParleyError('not_found', 'There is nothing at this address that takes bearer tokens.');
    if (found.route.endpoint.facts) return describeApi(href);
    return describeAgent({ ctx: anonymous, input: { slug: found.params.slug, resource: href } });
  });
}

/** Our own API tells how it authenticates; A2A endpoints, which are answered directly, take bearer tokens alone. */
function takesBearer({ endpoint }: Route): boolean {
  const { facts, direct } = endpoint;
  if (!facts) return direct !== undefined;
  // An endpoint for sessions alone answers a bearer token with the same challenge.
  return facts.auth !== 'app' && facts.auth !== 'client';
}
