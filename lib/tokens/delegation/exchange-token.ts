import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { OAuthError, type TokenResponse } from '../../protocol/oauth/authorization-server';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { findTarget } from '../agent-tokens/audience';
import { type ActiveAgentToken, findActiveToken } from '../agent-tokens/find-active-token';
import { issueToken, toTokenResponse } from '../agent-tokens/issue-token';
import { readScopes, requireApp } from '../authorization';
import { hiringSetting } from '../oauth/grants';
import { requireDpopProof } from '../oauth/verify-dpop-proof';
import { HANDSHAKE_LIMIT } from '../rate-limits';
import { delegableScopes, delegate } from './delegate';

/** Both names of the only token type that is accepted and issued (RFC 8693 §3). */
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const TOKEN_TYPES = [ACCESS_TOKEN_TYPE, 'urn:ietf:params:oauth:token-type:jwt'];

interface ExchangeInput {
  subjectToken: string;
  subjectTokenType: string;
  requestedTokenType?: string;
  scope?: string;
  resource?: string;
  audience?: string;
  proof?: PresentedProof;
}

/**
 * Token exchange (RFC 8693): an agent's app exchanges an upstream token for a token to call another agent for the user,
 * unless the user excluded that. Scopes and expiry never exceed the subject token's. `act` contains the acting agents.
 * @throws {OAuthError} `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function exchangeToken({ ctx, input }: { ctx: Ctx; input: ExchangeInput }): Promise<TokenResponse> {
  const app = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, app.appId, ctx.now);
  requireTokenTypes(input);
  const subject = await requireSubject(await findActiveToken(input.subjectToken, ctx.now), app.appId);
  const target = await findTarget(subject.principal, input);
  const { agent, principal, credentialId } = subject;
  const delegator = { agent, principal, credentialId, actingId: app.credentialId, clientId: app.clientId };
  const scopes = readScopes(input.scope, delegableScopes(subject.scopes));
  const grant = await delegate(delegator, { target, scopes }, ctx.now);
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  const issued = await issueToken({ ...grant, jkt, notAfter: subject.claims.exp }, ctx.now);
  return { ...toTokenResponse(issued), issued_token_type: ACCESS_TOKEN_TYPE };
}

function requireTokenTypes({ subjectTokenType, requestedTokenType = ACCESS_TOKEN_TYPE }: ExchangeInput): void {
  for (const type of [subjectTokenType, requestedTokenType]) {
    if (!TOKEN_TYPES.includes(type)) {
      throw new OAuthError('invalid_request', `Expected the token type ${ACCESS_TOKEN_TYPE}.`);
    }
  }
}

/**
 * The subject token, if it is an upstream token of an agent of this app that may hire others for the user. An agent
 * that must ask also receives a token, but its sends wait for the user's approval.
 */
async function requireSubject(subject: ActiveAgentToken | null, appId: string): Promise<ActiveAgentToken> {
  if (subject?.claims.token_use !== 'upstream' || subject.agent.appId !== appId) {
    throw new OAuthError(
      'invalid_request',
      'The subject_token is not a token that Parley sent to an agent of this app.',
    );
  }
  const { principal, credentialId, agent } = subject;
  if ((await hiringSetting({ principal, credentialId, agentId: agent.id })) === 'never') {
    const text = 'The user does not allow this agent to act for them. They can change this in their settings.';
    throw new OAuthError('invalid_request', text);
  }
  return subject;
}
