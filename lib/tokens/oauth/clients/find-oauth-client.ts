import { cleanName } from '../../../identity';
import { createCache } from '../../../platform/cache';
import type { Ctx } from '../../../platform/context';
import { findAppClient } from '../../credentials/authenticate-clients';
import { BLOCKED_CLIENT_CACHE_SIZE, MAX_CLIENT_ID_LENGTH } from '../../limits';
import { blockKeyOf, isBlocked } from '../../store/client-rows';
import { findDocumentClient } from './document-clients';
import { invalidClient, type OAuthClient, readRegisteredClientId, toOAuthClient } from './oauth-client';

/**
 * Finds the client with this id, which is the URL of a metadata document, or the id of a registered client or developer
 * app.
 * @throws {OAuthError} `invalid_client` for unknown, unreachable, invalid and blocked clients
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
  if (await isBlockedClient(clientId)) throw invalidClient('This client was blocked by a moderator.');
  if (/^https?:/i.test(clientId)) return findDocumentClient(clientId, ctx);
  const metadata = readRegisteredClientId(clientId);
  if (metadata) return toOAuthClient(metadata, { clientId, kind: 'registered', host: null });
  const app = await findAppClient(clientId, ctx.now);
  if (app) return toAppClient(clientId, app);
  throw unknownClient();
}

function toAppClient(clientId: string, { name, redirectUris }: { name: string; redirectUris: string[] }): OAuthClient {
  const grantTypes = ['authorization_code', 'refresh_token'];
  return { clientId, name: cleanName(name) || clientId, redirectUris, kind: 'app', host: null, grantTypes };
}

function unknownClient(): Error {
  return invalidClient('This client is not registered here. Check client_id.');
}

const blocked = createCache<boolean>({ topic: 'client', max: BLOCKED_CLIENT_CACHE_SIZE, load: isBlocked });

/** True when a moderator blocked the client. Cached; notifications invalidate the entry. */
function isBlockedClient(clientId: string): Promise<boolean> {
  return blocked.get(blockKeyOf(clientId));
}
