import { z } from 'zod';

/** Authorization server metadata (RFC 8414 §2). */
export interface ServerMetadata {
  issuer: string;
  jwks_uri: string;
  authorization_endpoint: string;
  /** RFC 7591. */
  registration_endpoint: string;
  /** draft-ietf-oauth-client-id-metadata-document-00 §5. */
  client_id_metadata_document_supported: boolean;
  token_endpoint: string;
  token_endpoint_auth_methods_supported: string[];
  grant_types_supported: string[];
  device_authorization_endpoint: string;
  revocation_endpoint: string;
  revocation_endpoint_auth_methods_supported: string[];
  introspection_endpoint: string;
  introspection_endpoint_auth_methods_supported: string[];
  /** RFC 9701 §7. */
  introspection_signing_alg_values_supported: string[];
  response_types_supported: string[];
  /** Required by RFC 7636: without it, a client must not proceed. */
  code_challenge_methods_supported: string[];
  /** RFC 9207 §3. */
  authorization_response_iss_parameter_supported: boolean;
  scopes_supported: readonly string[];
  /** RFC 9449 §5.1. */
  dpop_signing_alg_values_supported: string[];
}

/** Protected resource metadata (RFC 9728 §2). */
export interface ResourceMetadata {
  /** Exactly the requested URL: one of an agent's endpoints, or the audience of its tokens. */
  resource: string;
  resource_name?: string;
  authorization_servers: string[];
  bearer_methods_supported: string[];
  scopes_supported: readonly string[];
  dpop_signing_alg_values_supported?: string[];
}

/** The grant types of the token endpoint. */
export const GRANT_TYPES = {
  authorizationCode: 'authorization_code',
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
  refreshToken: 'refresh_token',
  clientCredentials: 'client_credentials',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const;

/** `Bearer`: usable by any holder (RFC 6750). `DPoP`: only with proof of possession of a key (RFC 9449). */
export const tokenTypeSchema = z.enum(['Bearer', 'DPoP']);
export type TokenType = z.infer<typeof tokenTypeSchema>;

const seconds = z.int().describe('Seconds');

/** The token response (RFC 6749 §5.1). */
export const tokenResponseSchema = z.object({
  access_token: z.string(),
  token_type: tokenTypeSchema,
  expires_in: seconds,
  scope: z.string(),
  refresh_token: z.string().optional(),
  /** Only for token exchange (RFC 8693 §2.2.1). */
  issued_token_type: z.string().optional(),
});
export type TokenResponse = z.infer<typeof tokenResponseSchema>;

/** The device authorization response (RFC 8628 §3.2). */
export const deviceAuthorizationSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: seconds,
  interval: seconds,
});
export type DeviceAuthorization = z.infer<typeof deviceAuthorizationSchema>;

/**
 * Error codes of the OAuth endpoints (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2); always with HTTP 400.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** Error codes of the authorization endpoint (RFC 6749 §4.1.2.1, RFC 8707 §2, OpenID Connect Core §3.1.2.6). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/** An OAuth error response. `message` states the expected value. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}
