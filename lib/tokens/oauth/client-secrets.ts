import { newId } from '../../platform/ids';
import { constantTimeEqual, hmac, newSecret } from '../../platform/secrets/crypto';
import { DAY_MS } from '../../platform/time';
import type { NewSecretRow } from '../store/app-rows';

const SECRET_PREFIX = 'parley_cs_';

/** A new client secret of 256 random bits, shown once, and the row that stores its hash. */
export function newClientSecret(now: Date, expiresInDays?: number): { clientSecret: string; row: NewSecretRow } {
  const clientSecret = newSecret(SECRET_PREFIX);
  const row = {
    id: newId('sec'),
    prefix: clientSecret.slice(0, SECRET_PREFIX.length + 6),
    secretHash: hashClientSecret(clientSecret),
    createdAt: now,
    expiresAt: expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * DAY_MS),
  };
  return { clientSecret, row };
}

/** The hash that is stored instead of a client secret. */
export function hashClientSecret(clientSecret: string): string {
  return hmac('client-secret', clientSecret);
}

/** The client id of an app. It ends in a MAC that only this server can compute. */
export function clientIdOf(appId: string): string {
  return `${appId}.${hmac('client-id', appId).slice(0, 11)}`;
}

/**
 * True for ids made by {@link clientIdOf}. Invented ids cause no query, and refusing them takes as long as refusing a
 * wrong secret.
 */
export function isClientId(clientId: string): boolean {
  return constantTimeEqual(clientId, clientIdOf(clientId.slice(0, clientId.lastIndexOf('.'))));
}
