import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import type { PresentedProof } from '../protocol/oauth/dpop';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { findTarget } from './audience';
import { issueToken } from './issue-token';
import { requireApp } from './policy';
import { HANDSHAKE_LIMIT } from './rate-limits';
import { readScopes } from './read-scopes';
import { requireDpopProof } from './require-dpop-proof';
import { toTokenResponse } from './to-wire';

/**
 * Gives an app a token to call an agent as itself (RFC 6749 §4.4): tasks are then the app's. It lives and dies with the
 * secret that the app showed.
 * @throws {OAuthError} `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function issueClientToken({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { scope?: string; resource?: string; audience?: string; proof?: PresentedProof };
}): Promise<TokenResponse> {
  const { appId, clientId, credentialId } = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, appId, ctx.now);
  const agent = await findTarget(appId, input);
  const scopes = readScopes(input.scope, ['agent:call']);
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  return toTokenResponse(await issueToken({ principal: appId, credentialId, agent, clientId, scopes, jkt }, ctx.now));
}
