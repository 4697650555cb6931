import { isForHosts } from '../../http/credentials';
import { compileEndpoints, type Endpoint, endpoint } from '../../http/endpoint';
import type { Handler } from '../../http/handler';
import { describedResource } from '../../http/request';
import { cachedJsonRoute } from '../../http/routes/cached-document';
import { ParleyError } from '../../platform/errors';
import { describeAgent, describeApi, describeServer, listJwks } from '..';

const anonymous = { actor: { kind: 'anonymous' } } as const;

/** Authorization server metadata (RFC 8414 §3). */
export const serverMetadata = endpoint({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  serve: cachedJsonRoute(async () => describeServer()),
});

/** Protected resource metadata (RFC 9728 §3) of every public agent. */
export const resourceMetadata = endpoint({
  method: 'GET',
  path: '/.well-known/oauth-protected-resource/agents/:slug',
  serve: cachedJsonRoute(({ slug = '' }) => describeAgent({ ctx: anonymous, input: { slug } })),
});

/**
 * Returns the handler for protected resource metadata (RFC 9728 §3.3) of every URL among `endpoints` that accepts
 * bearer tokens. `resource` is exactly the requested URL.
 */
export function endpointMetadataOf(endpoints: Endpoint[]): Handler {
  const matcher = compileEndpoints(endpoints);
  return cachedJsonRoute(async (_, request) => {
    const { href, pathname } = describedResource(request);
    // The OpenAI-compatible API is one resource, whose URL is not an endpoint itself.
    if (pathname === '/v1') return describeApi(href, { isForHosts: true });
    const [found] = matcher.endpointsAt(pathname).filter(({ endpoint }) => takesBearer(endpoint));
    if (!found) throw new ParleyError('not_found', 'Nothing at this URL accepts bearer tokens.');
    const { spec } = found.endpoint.serve;
    if (spec) return describeApi(href, { isForHosts: isForHosts(spec.auth) });
    return describeAgent({ ctx: anonymous, input: { slug: found.params.slug, resource: href } });
  });
}

/**
 * Returns true if an endpoint accepts bearer tokens. Endpoints of our API declare their authentication; A2A endpoints
 * accept only bearer tokens.
 */
function takesBearer({ serve }: Endpoint): boolean {
  const { spec, takesAgentTokens = false } = serve;
  if (!spec) return takesAgentTokens;
  // Endpoints that require a session respond to bearer tokens with the same challenge.
  return spec.auth !== 'app' && spec.auth !== 'client' && spec.auth !== 'none';
}

/** The JWK Set (RFC 7517 §5). */
export const jwks = endpoint({
  method: 'GET',
  path: '/.well-known/jwks.json',
  serve: cachedJsonRoute(() => listJwks(new Date())),
});
