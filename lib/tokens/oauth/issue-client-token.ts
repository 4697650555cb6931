import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import type { TokenResponse } from '../../protocol/oauth/authorization-server';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { findTarget } from '../agent-tokens/audience';
import { issueToken, toTokenResponse } from '../agent-tokens/issue-token';
import { readScopes, requireApp } from '../authorization';
import { HANDSHAKE_LIMIT } from '../rate-limits';
import { issueServeToken, SERVE_SCOPE } from './serve-token';
import { requireDpopProof } from './verify-dpop-proof';

/**
 * Client credentials grant (RFC 6749 §4.4): a token with which an app calls an agent on its own behalf, so that the app
 * owns the tasks. It is valid only while the app's secret is valid. With the scope `agent:serve`, it is a token for the
 * app's workers.
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
  if (input.scope === SERVE_SCOPE) return issueServeToken({ ctx, input });
  const { appId, clientId, credentialId } = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, appId, ctx.now);
  const agent = await findTarget(appId, input);
  const scopes = readScopes(input.scope, ['agent:call']);
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  return toTokenResponse(await issueToken({ principal: appId, credentialId, agent, clientId, scopes, jkt }, ctx.now));
}
