import { findUser } from '../../../identity';
import { connectionReused } from '../../../observability';
import type { Ctx } from '../../../platform/context';
import { OAuthError, type TokenResponse } from '../../../protocol/oauth/authorization-server';
import { decodeDerivedToken } from '../../access-tokens/access-token-format';
import { readScopes } from '../../authorization';
import { toDerivedTokens } from '../../delegation/derived-tokens';
import { invalidRefreshToken } from '../../errors';
import { REFRESH_GRACE_MS } from '../../limits';
import { findAccessToken, markAccessTokenRevoked, renewTokenFamily } from '../../store/access-token-rows';
import { isActiveClient, requireConnectionClient } from './connection-clients';
import { readResource } from './resources';

/**
 * Renews the tokens of a connected app (RFC 6749 §6). The refresh token rotates. For another ten seconds, the previous
 * one returns the same new refresh token and another access token, so that two simultaneous requests both succeed with
 * the same sign-in. Any older one may be stolen and ends the sign-in (RFC 9700 §4.14). `scope` narrows the access
 * token.
 * @throws {OAuthError} `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client`
 */
export async function refreshConnection({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { refreshToken: string; scope?: string; resource?: string };
}): Promise<TokenResponse> {
  const { clientId } = requireConnectionClient(ctx.actor);
  const presented = decodeDerivedToken(input.refreshToken);
  const known = presented?.kind === 'refresh' ? await findAccessToken(presented.id) : null;
  const user = known && (await findUser(known.userId));
  if (presented?.kind !== 'refresh' || !known || !user || user.suspended) throw invalidRefreshToken();
  const { id, userId, connectionId, expiresAt } = known;
  if (known.clientId !== clientId || connectionId === null) throw invalidRefreshToken();
  if ((expiresAt && expiresAt <= ctx.now) || !(await isActiveClient(clientId, ctx.now))) throw invalidRefreshToken();
  if (input.resource !== undefined && readResource(input.resource) !== known.resource) {
    throw new OAuthError('invalid_target', 'Expected the resource of the authorization request.');
  }
  const scopes = readScopes(input.scope, known.scopes);
  const { generation } = presented;
  const renewed = await renewTokenFamily({ id, generation, graceMs: REFRESH_GRACE_MS, now: ctx.now });
  if (renewed) return toDerivedTokens(renewed, ctx.now, scopes);
  const audit = connectionReused(ctx, { userId, connectionId, what: 'refresh-token' });
  await markAccessTokenRevoked({ id, userId, now: ctx.now }, audit);
  throw invalidRefreshToken();
}
