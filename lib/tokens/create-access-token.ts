import { requireFreshAuth } from '../identity';
import { tokenCreated } from '../observability';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { hashAccessToken, newAccessTokenText } from './access-token';
import { limitReached } from './errors';
import { requireUser } from './policy';
import { MAX_ACCESS_TOKENS } from './rate-limits';
import { type CreateAccessToken, defaultScopes, type NewAccessToken } from './schema';
import { type AccessTokenRecord, insertAccessToken } from './store/access-tokens';

const dayMs = 24 * 3_600_000;

/**
 * Makes a personal access token for the person of the session. Without `scopes` it gets all but `pay`, without `expiresInDays`
 * it lives until it is revoked; one that may pay asks for a sign-in of the last 15 minutes, as paying does. The answer is the only place where the token itself is ever seen.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `sign_in_again`, `conflict` at 100 tokens
 */
export async function createAccessToken({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CreateAccessToken;
}): Promise<NewAccessToken> {
  const { userId } = requireUser(ctx.actor, 'session');
  if (input.scopes?.includes('pay')) await requireFreshAuth({ ctx });
  const id = newId('pat');
  const token = newAccessTokenText(id);
  const { expiresInDays } = input;
  const record: AccessTokenRecord = {
    id,
    userId,
    name: input.name,
    prefix: token.slice(0, 'parley_pat_'.length + 6),
    tokenHash: hashAccessToken(token),
    generation: null,
    scopes: [...new Set(input.scopes ?? defaultScopes)],
    createdAt: ctx.now,
    expiresAt: expiresInDays === undefined ? null : new Date(ctx.now.getTime() + expiresInDays * dayMs),
    lastUsedAt: null,
  };
  const audit = tokenCreated(ctx, record);
  if (!(await insertAccessToken(record, { limit: MAX_ACCESS_TOKENS, audit })))
    throw limitReached('access tokens', MAX_ACCESS_TOKENS);
  const { prefix, scopes, expiresAt } = record;
  return { id, token, prefix, scopes, expiresAt: expiresAt?.toISOString() ?? null };
}
