/** What clients learn about the token service (RFC 8414 §2). Only what is built stands in it. */
export interface ServerMetadata {
  issuer: string;
  jwks_uri: string;
  token_endpoint: string;
  token_endpoint_auth_methods_supported: string[];
  grant_types_supported: string[];
  device_authorization_endpoint: string;
  revocation_endpoint: string;
  revocation_endpoint_auth_methods_supported: string[];
  introspection_endpoint: string;
  introspection_endpoint_auth_methods_supported: string[];
  /** Of RFC 9701 §7. */
  introspection_signing_alg_values_supported: string[];
  /** Required by RFC 8414; empty, because there is no authorization endpoint. */
  response_types_supported: string[];
  scopes_supported: string[];
  /** Of RFC 9449 §5.1. */
  dpop_signing_alg_values_supported: string[];
}

/** What clients learn about one protected resource (RFC 9728 §2). */
export interface ResourceMetadata {
  /** Byte for byte the address that was called: one of an agent's endpoints, or the audience of its tokens. */
  resource: string;
  resource_name?: string;
  authorization_servers: string[];
  bearer_methods_supported: string[];
  scopes_supported: string[];
  dpop_signing_alg_values_supported?: string[];
}
