import { cleanName } from '../../../identity';
import { consume } from '../../../limits';
import type { Call } from '../../../platform/context';
import { networkOf } from '../../../platform/http-client/client-address';
import { parseJson } from '../../../platform/json';
import { constantTimeEqual, hmac } from '../../../platform/secrets/crypto';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { type ClientMetadata, readClientMetadata } from '../../../protocol/oauth/client-metadata';
import { MAX_CLIENT_ID_LENGTH } from '../../limits';
import { REGISTRATION_LIMIT } from '../../rate-limits';
import type { RegisteredClient } from '../../schema-connections';

/** A client of the authorization code flow. */
export interface OAuthClient {
  clientId: string;
  /**
   * The name for display: without control and bidirectional characters, at most 80 characters. Clients choose it
   * freely.
   */
  name: string;
  redirectUris: string[];
  /** The kind of registration: by its metadata document, by dynamic registration, or as a developer app. */
  kind: 'document' | 'registered' | 'app';
  /** The host of the metadata document, with its port; international names in Punycode. */
  host: string | null;
  grantTypes: string[];
}

/**
 * Returns the client with this metadata. The name of a client without one is the host or scheme of its first redirect
 * URI.
 */
export function toOAuthClient(
  { client_name = '', redirect_uris, grant_types }: ClientMetadata,
  origin: Pick<OAuthClient, 'clientId' | 'kind' | 'host'>,
): OAuthClient {
  const { host, protocol } = new URL(redirect_uris[0] ?? origin.clientId);
  const name = cleanName(client_name) || host || protocol.slice(0, -1);
  return { ...origin, name, redirectUris: redirect_uris, grantTypes: grant_types };
}

/** Returns the error for clients that are unknown, unreachable, invalid or blocked. */
export function invalidClient(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}

/**
 * Registers a public client (RFC 7591 §3). Parley chooses the authentication method `none`, regardless of the request.
 * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata`
 * @throws {ParleyError} `rate_limited`, by network
 */
export async function registerClient({
  ctx,
  input,
}: Call<{ metadata: object; address: string }>): Promise<RegisteredClient> {
  await consume(REGISTRATION_LIMIT, networkOf(input.address), ctx.now);
  const read = readClientMetadata(input.metadata);
  const { name } = toOAuthClient(read, { clientId: '', kind: 'registered', host: null });
  const metadata: ClientMetadata & { client_name: string } = { ...read, client_name: name };
  return {
    ...metadata,
    client_id: registeredClientIdOf(metadata),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * Returns the client id of a registered client, which contains its metadata and a MAC that only this server can
 * compute. Registrations therefore need no storage, and the same metadata has the same id (RFC 7591 §3.2.1).
 * @throws {OAuthError} `invalid_client_metadata` if it is longer than {@link MAX_CLIENT_ID_LENGTH}
 */
export function registeredClientIdOf(metadata: ClientMetadata): string {
  const text = Buffer.from(JSON.stringify(metadata)).toString('base64url');
  const clientId = `reg.${text}.${macOf(text)}`;
  if (clientId.length <= MAX_CLIENT_ID_LENGTH) return clientId;
  throw new OAuthError('invalid_client_metadata', 'The metadata is too long. Register fewer or shorter redirect URIs.');
}

/**
 * Returns the metadata in a client id from {@link registeredClientIdOf}; null for any other text, and for metadata that
 * an earlier release accepted but this one does not.
 */
export function readRegisteredClientId(clientId: string): ClientMetadata | null {
  const [prefix, text = '', mac = '', ...rest] = clientId.split('.');
  if (prefix !== 'reg' || rest.length > 0 || !constantTimeEqual(mac, macOf(text))) return null;
  const metadata = parseJson(Buffer.from(text, 'base64url').toString());
  try {
    return readClientMetadata(metadata);
  } catch (error) {
    if (error instanceof OAuthError) return null;
    throw error;
  }
}

function macOf(text: string): string {
  return hmac('registered-client', text);
}
