/** Whoever holds it may use it (RFC 6750), or only who holds a key as well (RFC 9449). */
export type TokenType = 'Bearer' | 'DPoP';

/** What the token endpoint answers with (RFC 6749 §5.1). `expires_in` in seconds. */
export interface TokenResponse {
  access_token: string;
  token_type: TokenType;
  expires_in: number;
  scope: string;
  refresh_token?: string;
  /** Only of token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string;
}
