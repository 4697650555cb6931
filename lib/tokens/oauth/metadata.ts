import { findAgent, maySeeAgent, requireVisible } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { ACCESS_SCOPES, AGENT_SCOPES, CONNECTION_SCOPES, HOST_SCOPES } from '../../platform/scopes';
import { GRANT_TYPES, type ResourceMetadata, type ServerMetadata } from '../../protocol/oauth/authorization-server';
import type { JwkSet } from '../../protocol/oauth/jwt';
import { DPOP_ALGORITHMS } from '../../protocol/oauth/requests';
import { audienceOf } from '../agent-tokens/agent-token-format';
import { listPublishedKeys } from '../keys/keys';

const APP_AUTH_METHODS = ['client_secret_basic', 'client_secret_post'];
/** Authentication methods including `none`, because Parley's own clients and other public ones have no secret. */
const ALL_AUTH_METHODS = [...APP_AUTH_METHODS, 'none'];

/**
 * Returns the authorization server metadata (RFC 8414). All URLs come from `APP_URL`, never from the request's host.
 */
export function describeServer(): ServerMetadata {
  const issuer = env().APP_URL;
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    registration_endpoint: `${issuer}/oauth/register`,
    client_id_metadata_document_supported: true,
    token_endpoint: `${issuer}/api/auth/token`,
    token_endpoint_auth_methods_supported: ALL_AUTH_METHODS,
    grant_types_supported: Object.values(GRANT_TYPES),
    device_authorization_endpoint: `${issuer}/api/auth/device`,
    revocation_endpoint: `${issuer}/api/auth/revoke`,
    revocation_endpoint_auth_methods_supported: ALL_AUTH_METHODS,
    introspection_endpoint: `${issuer}/api/auth/introspect`,
    introspection_endpoint_auth_methods_supported: APP_AUTH_METHODS,
    introspection_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: [...new Set([...CONNECTION_SCOPES, ...AGENT_SCOPES, ...ACCESS_SCOPES])],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}

/**
 * Returns the protected resource metadata of an agent (RFC 9728). `resource` is the described endpoint, by default the
 * agent's audience. With `resource`, the result does not reveal the existence of an agent that is not visible to the
 * actor.
 * @throws {ParleyError} without `resource`: `not_found`, `gone`, as for the agent's card
 */
export async function describeAgent({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string | undefined; resource?: string };
}): Promise<ResourceMetadata> {
  const { slug, resource } = input;
  const found = slug === undefined ? null : await findAgent(slug);
  const agent = resource === undefined ? requireVisible(ctx.actor, found) : found;
  const isVisible = agent !== null && maySeeAgent(ctx.actor, agent);
  return {
    resource: resource ?? audienceOf(slug ?? ''),
    ...(isVisible && { resource_name: agent.name }),
    authorization_servers: [env().APP_URL],
    bearer_methods_supported: ['header'],
    scopes_supported: AGENT_SCOPES,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}

/**
 * Returns the protected resource metadata of an endpoint of our own API (RFC 9728 §2), which accepts access tokens and,
 * if it is for hosts, also the tokens of connected apps. The scopes do not include `offline_access`, which does not
 * concern the resource.
 */
export function describeApi(resource: string, { isForHosts }: { isForHosts: boolean }): ResourceMetadata {
  return {
    resource,
    authorization_servers: [env().APP_URL],
    bearer_methods_supported: ['header'],
    scopes_supported: isForHosts ? HOST_SCOPES : ACCESS_SCOPES,
  };
}

/**
 * Returns the JWKS: the public keys that verify Parley's signatures, including recently retired and not yet active
 * ones.
 */
export async function listJwks(now: Date): Promise<JwkSet> {
  return { keys: await listPublishedKeys(now) };
}
