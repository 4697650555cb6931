import type { Ctx } from '../../platform/context';
import { MAX_CLIENT_ID_LENGTH } from '../limits';
import { findDocumentClient } from './document-clients';
import { invalidClient, type OAuthClient, toOAuthClient } from './oauth-client';
import { readRegisteredClientId } from './registered-client-id';

/**
 * The client with this id: a metadata document's URL, or a registered client.
 * @throws {OAuthError} `invalid_client` for unknown, unreachable and invalid clients
 * @throws {ParleyError} `rate_limited`
 */
export async function findOAuthClient({
  clientId,
  ctx,
}: {
  clientId: string;
  ctx: Pick<Ctx, 'actor' | 'now'>;
}): Promise<OAuthClient> {
  if (clientId.length > MAX_CLIENT_ID_LENGTH) throw unknownClient();
  if (/^https?:/i.test(clientId)) return findDocumentClient(clientId, ctx);
  const metadata = readRegisteredClientId(clientId);
  if (metadata) return toOAuthClient(metadata, { clientId, kind: 'registered', host: null });
  throw unknownClient();
}

function unknownClient(): Error {
  return invalidClient('This client is not registered here. Check client_id.');
}
