import { findUser } from '../../identity';
import { createCache } from '../../platform/cache';
import type { UserActor } from '../../platform/context';
import { ACCESS_SCOPES } from '../../platform/scopes';
import { constantTimeEqual, sha256 } from '../../platform/secrets/crypto';
import { refuse } from '../errors';
import { ACCESS_TOKEN_CACHE_SIZE } from '../limits';
import { type FoundTokenRecord, findAccessToken, touchAccessToken } from '../store/access-token-rows';
import { recordLastUsed } from '../store/last-used';
import { accessTokenIdOf, decodeDerivedToken, hashAccessToken } from './access-token-texts';

const accessTokens = createCache<FoundTokenRecord | null>({
  topic: 'credential',
  max: ACCESS_TOKEN_CACHE_SIZE,
  load: findAccessToken,
});

/**
 * Returns the user of a personal or device access token; null if the token is unknown, expired, revoked or that of a
 * connected app, or if the user is suspended.
 */
export async function findAccessTokenActor(bearer: string, now: Date): Promise<UserActor | null> {
  const token = await findPresentedToken(bearer, now);
  return token?.connectionId === null ? toAccessTokenActor(token, now) : null;
}

/** Returns the user of a token that does not belong to a connected app; null if the user is suspended. */
export async function toAccessTokenActor(token: FoundTokenRecord, now: Date): Promise<UserActor | null> {
  const scopes = ACCESS_SCOPES.filter((scope) => token.scopes.includes(scope));
  const actor = await toUserActor(token, { kind: 'access-token', id: token.id, scopes });
  if (actor) recordLastUsed(token.id, now, touchAccessToken);
  return actor;
}

/** Returns the user of a token, with this credential; null if the user is suspended. */
export async function toUserActor(
  { userId }: FoundTokenRecord,
  credential: UserActor['credential'],
): Promise<UserActor | null> {
  const user = await findUser(userId);
  if (!user || user.suspended) return refuse('user_suspended');
  return { kind: 'user', userId: user.id, email: user.email, name: user.name, credential };
}

/**
 * Returns the access token with this text, including a connected app's, with the scopes in the text; null unless it is
 * valid at `now`.
 */
export async function findPresentedToken(text: string, now: Date): Promise<FoundTokenRecord | null> {
  const derived = decodeDerivedToken(text);
  if (derived) {
    if (derived.kind !== 'access') return refuse('refresh_token');
    if (derived.expiresAt * 1000 <= now.getTime()) return refuse('lifetime');
    const token = await findActiveAccessToken(derived.id, now);
    const { scopes } = derived;
    return token && scopes ? { ...token, scopes: token.scopes.filter((scope) => scopes.includes(scope)) } : token;
  }
  const id = accessTokenIdOf(text);
  const token = id && (await findActiveAccessToken(id, now));
  if (!token) return null;
  return isTextOf(token, text) ? token : refuse('access_token_text');
}

/** SHA-256 of verified texts while their token is cached, because the HMAC takes five times as long. */
const verifiedTexts = new WeakMap<FoundTokenRecord, string>();

function isTextOf(token: FoundTokenRecord, text: string): boolean {
  const digest = sha256(text);
  if (verifiedTexts.get(token) === digest) return true;
  const isRight = constantTimeEqual(token.tokenHash ?? '', hashAccessToken(text));
  if (isRight) verifiedTexts.set(token, digest);
  return isRight;
}

/**
 * Returns the access token with this id; null if it is unknown, revoked or expired at `now`. Cached; notifications
 * invalidate the entry.
 */
export async function findActiveAccessToken(id: string, now: Date): Promise<FoundTokenRecord | null> {
  const token = await accessTokens.get(id);
  // Any id may be sent, so unknown ids must not evict known ones.
  if (!token) accessTokens.invalidate(id);
  return token && (token.expiresAt === null || token.expiresAt > now) ? token : refuse('access_token_ended');
}
