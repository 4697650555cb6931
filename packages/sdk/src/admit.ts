import { type Caller, callerFrom } from './caller.js';
import {
  parleyUnavailable,
  type Refusal,
  requestMalformed,
  scopeMissing,
  tokenInvalid,
  tokenMissing,
} from './challenge.js';
import { type CheckOptions, createActiveCheck } from './check-active.js';
import { ParleyError } from './errors.js';
import { type HeaderValues, readCredentials } from './read-credentials.js';
import { createVerifier, type VerifyOptions } from './verify-token.js';

/** Lets a request in, or says how to refuse it. */
export type Admit = (header: HeaderValues) => Promise<{ caller: Caller } | { refusal: Refusal }>;

export interface AdmitOptions extends VerifyOptions, CheckOptions {
  agent: string;
  /** The scope that callers need. */
  scope: string;
  /** Hears why nobody can be let in. */
  onUnavailable: (error: ParleyError) => void;
}

const RETRY_SECONDS = 5;

/**
 * The decision that all middlewares share: credentials, then the token itself, then Parley's word on it, then its scope.
 * `keep` gets the token of everybody who is let in.
 */
export function createAdmit(options: AdmitOptions, keep: (caller: Caller, token: string) => void): Admit {
  const { issuer, agent, scope, onUnavailable } = options;
  const verify = createVerifier(options);
  const checkActive = createActiveCheck(options);
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
      keep(caller, token);
      return { caller };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      onUnavailable(error);
      return { refusal: parleyUnavailable(error.retryAfter ?? RETRY_SECONDS) };
    }
  };
}
