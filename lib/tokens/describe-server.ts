import type { AgentScope } from '../platform/context';
import { env } from '../platform/env';
import { DPOP_ALGORITHMS } from '../protocol/oauth/dpop';
import { GRANT_TYPES } from '../protocol/oauth/grant-types';
import type { ServerMetadata } from '../protocol/oauth/metadata';
import { accessScopeSchema } from './schema';

/** Scopes that a token for an agent can have. */
export const AGENT_SCOPES: AgentScope[] = ['agent:call', 'profile', 'email', 'delegate'];

const appMethods = ['client_secret_basic', 'client_secret_post'];
/** Parley's own clients have no secret. */
const allMethods = [...appMethods, 'none'];

/** The token service in its own words. All addresses come from `APP_URL`, whatever host was asked (META-1). */
export function describeServer(): ServerMetadata {
  const issuer = env().APP_URL;
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    token_endpoint: `${issuer}/api/auth/token`,
    token_endpoint_auth_methods_supported: allMethods,
    grant_types_supported: Object.values(GRANT_TYPES),
    device_authorization_endpoint: `${issuer}/api/auth/device`,
    revocation_endpoint: `${issuer}/api/auth/revoke`,
    revocation_endpoint_auth_methods_supported: allMethods,
    introspection_endpoint: `${issuer}/api/auth/introspect`,
    introspection_endpoint_auth_methods_supported: appMethods,
    introspection_signing_alg_values_supported: ['RS256'],
    response_types_supported: [],
    scopes_supported: [...AGENT_SCOPES, ...accessScopeSchema.options],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}
