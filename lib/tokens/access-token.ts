import { createCache } from '../platform/cache';
import type { AccessScope } from '../platform/context';
import { constantTimeEqual, hmac, newSecret } from '../platform/crypto';
import { decodeDeviceToken } from './device-token';
import { type AccessTokenRecord, findAccessToken } from './store/access-tokens';

const tokenPrefix = 'parley_pat_';
const idLength = 20;

const accessTokens = createCache<AccessTokenRecord | null>({
  name: 'access-tokens',
  topic: 'credential',
  max: 10_000,
  load: findAccessToken,
});

/** A new token text for the row `id`: it names its row, then come 256 random bits (TOK-9). */
export function newAccessTokenText(id: string): string {
  return newSecret(`${tokenPrefix}${id.slice('pat_'.length)}`);
}

/** What is kept of a token instead of it. */
export function hashAccessToken(text: string): string {
  return hmac('access-token', text);
}

/** The access token that this text is and that is good at `now`: one that a person made, or that a device was given. */
export async function findPresentedToken(text: string, now: Date): Promise<AccessTokenRecord | null> {
  const device = decodeDeviceToken(text);
  if (device) {
    const isValid = device.kind === 'access' && device.count * 1000 > now.getTime();
    const token = isValid ? await findActiveAccessToken(device.id, now) : null;
    return token && device.scopes ? narrowScopes(token, device.scopes) : token;
  }
  const id = accessTokenIdOf(text);
  const token = id && (await findActiveAccessToken(id, now));
  return token && constantTimeEqual(token.tokenHash ?? '', hashAccessToken(text)) ? token : null;
}

function narrowScopes(token: AccessTokenRecord, scopes: AccessScope[]): AccessTokenRecord {
  return { ...token, scopes: token.scopes.filter((scope) => scopes.includes(scope)) };
}

/** The id of the row that a token text names, or null when it is no token of ours by its looks. */
function accessTokenIdOf(text: string): string | null {
  const body = text.startsWith(tokenPrefix) ? text.slice(tokenPrefix.length, tokenPrefix.length + idLength) : '';
  return /^[0-9a-z]{20}$/.test(body) ? `pat_${body}` : null;
}

/** The access token when it is neither revoked nor expired at `now`; from memory that notices empty. */
export async function findActiveAccessToken(id: string, now: Date): Promise<AccessTokenRecord | null> {
  const token = await accessTokens.get(id);
  // Strangers may ask for any id: what does not exist must not push out what does.
  if (!token) accessTokens.invalidate(id);
  return token && (token.expiresAt === null || token.expiresAt > now) ? token : null;
}
