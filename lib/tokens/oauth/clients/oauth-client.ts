import { cleanName } from '../../../identity';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import type { ClientMetadata } from '../../../protocol/oauth/client-metadata';

/** A client of the authorization code flow. */
export interface OAuthClient {
  clientId: string;
  /**
   * The name for display: without control and bidirectional characters, at most 80 characters. Any client can choose
   * any name.
   */
  name: string;
  redirectUris: string[];
  /** The kind of registration: by its metadata document, by dynamic registration, or as a developer app. */
  kind: 'document' | 'registered' | 'app';
  /** The host of the metadata document, with its port; international names in Punycode. */
  host: string | null;
  grantTypes: string[];
}

/** The client with this metadata. A client without a name has that of the host or scheme of its first redirect URI. */
export function toOAuthClient(
  { client_name = '', redirect_uris, grant_types }: ClientMetadata,
  origin: Pick<OAuthClient, 'clientId' | 'kind' | 'host'>,
): OAuthClient {
  const { host, protocol } = new URL(redirect_uris[0] ?? origin.clientId);
  const name = cleanName(client_name) || host || protocol.slice(0, -1);
  return { ...origin, name, redirectUris: redirect_uris, grantTypes: grant_types };
}

/** The error for clients that are unknown, unreachable, invalid or blocked. */
export function invalidClient(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}
