import { constantTimeEqual, hmac, newSecret } from '../platform/crypto';
import { newId } from '../platform/ids';
import type { NewSecretRow } from './store/apps';

const secretPrefix = 'parley_cs_';
const dayMs = 24 * 3_600_000;

/** A new secret of 256 random bits, shown once, and the row that is kept instead of it (TOK-9). */
export function newClientSecret(now: Date, expiresInDays?: number): { clientSecret: string; row: NewSecretRow } {
  const clientSecret = newSecret(secretPrefix);
  const row = {
    id: newId('sec'),
    prefix: clientSecret.slice(0, secretPrefix.length + 6),
    secretHash: hashClientSecret(clientSecret),
    createdAt: now,
    expiresAt: expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * dayMs),
  };
  return { clientSecret, row };
}

/** What is kept of a secret instead of it. */
export function hashClientSecret(clientSecret: string): string {
  return hmac('client-secret', clientSecret);
}

/** The client id of an app. It ends in a check that only we can make. */
export function clientIdOf(appId: string): string {
  return `${appId}.${hmac('client-id', appId).slice(0, 11)}`;
}

/**
 * True for ids that {@link clientIdOf} made. So made-up ids never reach the database, and take as long to refuse as a
 * wrong secret (INT-2).
 */
export function isClientId(clientId: string): boolean {
  return constantTimeEqual(clientId, clientIdOf(clientId.slice(0, clientId.lastIndexOf('.'))));
}
