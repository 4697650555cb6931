/** Errors of OAuth's endpoints (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2); all travel with HTTP 400. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** Why a token is not given, in the words of the RFCs. `message` says what was expected. */
export class OAuthError extends Error {
  override readonly name = 'OAuthFault';

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The error as an {@link OAuthError}, or null; told by name because server.ts and Next bundle this file separately. */
export function asOAuthError(error: unknown): OAuthError | null {
  return error instanceof Error && error.name === 'OAuthFault' ? (error as OAuthError) : null;
}
