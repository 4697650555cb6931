import { type Caller, callerFrom } from './caller.js';
import {
  parleyUnavailable,
  type Refusal,
  requestMalformed,
  scopeMissing,
  tokenInvalid,
  tokenMissing,
} from './challenge.js';
import { ParleyError } from './errors.js';
import { createIntrospectionCache, type IntrospectionOptions } from './introspection-cache.js';
import { type HeaderValues, readCredentials } from './read-credentials.js';
import { createVerifier, type VerifyOptions } from './verify-token.js';

/** Admits a request, or returns its refusal. */
export type Authenticate = (header: HeaderValues) => Promise<{ caller: Caller } | { refusal: Refusal }>;

export interface AuthenticateOptions extends VerifyOptions, IntrospectionOptions {
  agent: string;
  /** The required scope. */
  scope: string;
  /** Called if Parley cannot be reached and callers are refused. */
  onUnavailable: (error: ParleyError) => void;
}

const RETRY_SECONDS = 5;

/**
 * Creates the decision behind all adapters: credentials, token verification, introspection, scope. `keep` receives the
 * token of every admitted caller.
 */
export function createAuthenticator(
  options: AuthenticateOptions,
  onAdmitted: (caller: Caller, token: string) => void,
): Authenticate {
  const { issuer, agent, scope, onUnavailable } = options;
  const verify = createVerifier(options);
  const checkActive = createIntrospectionCache(options);
  const path = `/agents/${encodeURIComponent(agent)}`;
  const challenge = { metadataUrl: `${issuer}/.well-known/oauth-protected-resource${path}` };

  return async function admit(header) {
    const credentials = readCredentials(header);
    if (credentials.kind === 'none') return { refusal: tokenMissing(challenge) };
    if (credentials.kind === 'malformed') return { refusal: requestMalformed(challenge) };
    const { token } = credentials;
    try {
      const claims = await verify(token);
      if (!claims || !(await checkActive(token, claims))) return { refusal: tokenInvalid(challenge) };
      const caller = callerFrom(claims);
      if (!caller.scopes.includes(scope)) return { refusal: scopeMissing(challenge, scope) };
      onAdmitted(caller, token);
      return { caller };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      onUnavailable(error);
      return { refusal: parleyUnavailable(error.retryAfter ?? RETRY_SECONDS) };
    }
  };
}
