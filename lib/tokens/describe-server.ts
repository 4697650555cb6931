import type { AgentScope } from '../platform/context';
import { env } from '../platform/env';
import type { ServerMetadata } from '../protocol/oauth/metadata';

/** Scopes that a token for an agent can have. */
export const AGENT_SCOPES: AgentScope[] = ['agent:call'];

const appMethods = ['client_secret_basic', 'client_secret_post'];

/** The token service in its own words. All addresses come from `APP_URL`, whatever host was asked (META-1). */
export function describeServer(): ServerMetadata {
  const issuer = env().APP_URL;
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    introspection_endpoint: `${issuer}/api/auth/introspect`,
    introspection_endpoint_auth_methods_supported: appMethods,
    response_types_supported: [],
    scopes_supported: AGENT_SCOPES,
  };
}
