import type { Actor } from '../../../platform/context';
import { sha256 } from '../../../platform/secrets/crypto';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { findActiveApp } from '../authenticate-clients';

/**
 * The client id of a caller that can hold tokens of connected apps: an app with its secret, or a public client.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireConnectionClient(actor: Actor): { clientId: string } {
  if (actor.kind === 'app' || actor.kind === 'oauth-client') return actor;
  throw new OAuthError('unauthorized_client', 'This client signs in with a device code, not with the code flow.');
}

/** The key of a client's connections: the id of a registered client is too long for an index. */
export function hashClientId(clientId: string): string {
  return sha256(clientId);
}

/** False for an app whose owner is suspended or was deleted. Other clients have no owner. */
export async function isActiveClient(clientId: string, now: Date): Promise<boolean> {
  if (!clientId.startsWith('app_')) return true;
  return (await findActiveApp(clientId.slice(0, clientId.lastIndexOf('.')), now)) !== null;
}
