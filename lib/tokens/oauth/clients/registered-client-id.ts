import { parseJson } from '../../../platform/json';
import { constantTimeEqual, hmac } from '../../../platform/secrets/crypto';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { type ClientMetadata, readClientMetadata } from '../../../protocol/oauth/client-metadata';
import { MAX_CLIENT_ID_LENGTH } from '../../limits';

/**
 * The client id of a registered client: its metadata and a MAC that only this server can compute. Nothing is stored, so
 * registrations take no space, and the same metadata has the same id (RFC 7591 §3.2.1).
 * @throws {OAuthError} `invalid_client_metadata` when it is longer than {@link MAX_CLIENT_ID_LENGTH}
 */
export function registeredClientIdOf(metadata: ClientMetadata): string {
  const text = Buffer.from(JSON.stringify(metadata)).toString('base64url');
  const clientId = `reg.${text}.${macOf(text)}`;
  if (clientId.length <= MAX_CLIENT_ID_LENGTH) return clientId;
  throw new OAuthError('invalid_client_metadata', 'The metadata is too long. Register fewer or shorter redirect URIs.');
}

/**
 * The metadata in a client id made by {@link registeredClientIdOf}; null for any other text, and for metadata that an
 * earlier release accepted and this one does not.
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
