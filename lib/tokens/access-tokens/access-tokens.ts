import { authorize, proveChange, recordChange } from '../../identity';
import { appendAudit, tokenCreated, tokenRevoked } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { DEFAULT_ACCESS_SCOPES, isGuardedScope } from '../../platform/scopes';
import { DAY_MS } from '../../platform/time';
import { isOwnId } from '../authorization';
import { limitReached, notFound } from '../errors';
import { MAX_ACCESS_TOKENS } from '../limits';
import type { AccessTokenView, CreateAccessToken, NewAccessToken } from '../schema';
import {
  type AccessTokenRecord,
  insertAccessToken,
  listAccessTokensOf,
  listAllAccessTokensOf,
  markAccessTokenRevoked,
} from '../store/access-token-rows';
import { hashAccessToken, newAccessTokenText } from './access-token-texts';

/**
 * Creates a personal access token and returns its text, which is never shown again. Without `expiresInDays`, it is
 * valid until revoked. With a guarded scope, this is a guarded change.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `passkey_required`, `passkey_refused`,
 *   `sign_in_again`; `conflict` at 100 tokens
 */
export async function createAccessToken({ ctx, input }: Call<CreateAccessToken>): Promise<NewAccessToken> {
  const { userId } = authorize(ctx.actor, 'session');
  const { name, expiresInDays, assertion } = input;
  const scopes = [...new Set(input.scopes ?? DEFAULT_ACCESS_SCOPES)];
  if (scopes.some(isGuardedScope)) {
    const detail = { name, scopes, expiresInDays: expiresInDays ?? null };
    await proveChange(ctx, { guard: 'token.create', detail }, assertion);
  }
  const id = newId('pat');
  const { token, prefix } = newAccessTokenText(id);
  const record: AccessTokenRecord = {
    id,
    userId,
    name,
    prefix,
    tokenHash: hashAccessToken(token),
    generation: null,
    connectionId: null,
    scopes,
    createdAt: ctx.now,
    expiresAt: expiresInDays === undefined ? null : new Date(ctx.now.getTime() + expiresInDays * DAY_MS),
    lastUsedAt: null,
  };
  await inTransaction(async (tx) => {
    if (!(await insertAccessToken(tx, record, MAX_ACCESS_TOKENS)))
      throw limitReached('access tokens', MAX_ACCESS_TOKENS);
    await recordGuardedToken(tx, ctx, record);
    await appendAudit(tx, tokenCreated(ctx, record));
  });
  const { expiresAt } = record;
  return { id, token, prefix, scopes, expiresAt: expiresAt?.toISOString() ?? null };
}

/** Announces a new token that can pay or change guards. Does nothing for other tokens. */
export async function recordGuardedToken(tx: Tx, ctx: Ctx, { id, userId, scopes }: AccessTokenRecord): Promise<void> {
  if (!scopes.some(isGuardedScope)) return;
  const change = { userId, kind: 'token.create' as const, subject: `token ${id}`, before: { id } };
  const facts = { of: change.kind, values: { scopes: scopes.join(' ') } };
  await recordChange(tx, ctx, { ...change, facts });
}

/** Returns the user's access tokens that are not revoked, newest first. */
export async function listAccessTokens({ ctx }: { ctx: Ctx }): Promise<AccessTokenView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  return (await listAccessTokensOf(userId)).map(toAccessTokenView);
}

/** Exports all stored access tokens of the user, including revoked ones, without the token texts. */
export async function exportTokens({ ctx }: { ctx: Ctx }): Promise<(AccessTokenView & { revokedAt: string | null })[]> {
  const { userId } = authorize(ctx.actor, 'session');
  const tokens = await listAllAccessTokensOf(userId);
  return tokens.map((token) => ({ ...toAccessTokenView(token), revokedAt: token.revokedAt?.toISOString() ?? null }));
}

function toAccessTokenView(token: AccessTokenRecord): AccessTokenView {
  const { id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, generation } = token;
  return {
    id,
    kind: generation === null ? 'personal' : 'device',
    name,
    prefix,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Revokes an access token of the user and every agent token issued from it, on this node immediately and on other nodes
 * within a second.
 * @throws {ParleyError} `not_found`, also for another user's token
 */
export async function revokeAccessToken({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const token = { id: input.id, userId, now: ctx.now };
  const revoked = isOwnId(input.id) && (await markAccessTokenRevoked(token, tokenRevoked(ctx, token)));
  if (!revoked) throw notFound('access token');
}

/**
 * Revokes a token whose creation is undone. Does nothing if it is already revoked. The caller must have authorized
 * this.
 */
export async function revokeUndoneToken({ ctx, input }: Call<{ id: string; userId: string }>): Promise<void> {
  await markAccessTokenRevoked({ ...input, now: ctx.now }, tokenRevoked(ctx, input));
}
