import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import type { AgentScope } from '../platform/scopes';
import { OAuthError, type TokenResponse } from '../protocol/oauth/authorization-server';
import type { PresentedProof } from '../protocol/oauth/requests';
import { findTarget } from './audience';
import { readScopes, requireApp } from './authorization';
import { delegationsOf } from './delegation';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { findScopes, hiringSetting } from './grants';
import { issueToken, toTokenResponse } from './issue-token';
import { MAX_DELEGATION_ACTORS } from './limits';
import { HANDSHAKE_LIMIT } from './rate-limits';
import { upsertDelegation } from './store/delegations';
import { requireDpopProof } from './verify-dpop-proof';

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
 * Token exchange (RFC 8693): an agent's app exchanges an upstream token for one to call another agent for the user,
 * unless the user forbade that. Scopes and expiry never exceed the subject token's. `act` names the acting agents.
 * @throws {OAuthError} `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function exchangeToken({ ctx, input }: { ctx: Ctx; input: ExchangeInput }): Promise<TokenResponse> {
  const app = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, app.appId, ctx.now);
  requireTokenTypes(input);
  const subject = await requireSubject(await findActiveToken(input.subjectToken, ctx.now), app.appId);
  const target = await findTarget(subject.principal, input);
  await rejectCycle(subject, target.id);
  // Passed on unless narrowed: whether the target may hire others in turn is the user's setting for it.
  const delegable: AgentScope[] = [...new Set([...subject.scopes, 'delegate' as const])];
  const requestedScopes = readScopes(input.scope, delegable);
  const delegation = {
    id: newId('dlg'),
    parentId: subject.credentialId,
    agentId: subject.agent.id,
    secretId: app.credentialId,
    principal: subject.principal,
  };
  const { id: credentialId } = await upsertDelegation({ ...delegation, scopes: requestedScopes }, ctx.now);
  const grant = { principal: subject.principal, credentialId, agent: target, clientId: app.clientId };
  const scopes = await findScopes(grant);
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'Nothing of what was asked for holds at that agent.');
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  const issued = await issueToken({ ...grant, scopes, jkt, notAfter: subject.claims.exp }, ctx.now);
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
 * The subject token, if it is an upstream token of an agent of this app that may hire others for the user. One that
 * must ask gets a token too: its sends wait for the user's approval.
 */
async function requireSubject(subject: ActiveAgentToken | null, appId: string): Promise<ActiveAgentToken> {
  if (subject?.claims.token_use !== 'upstream' || subject.agent.appId !== appId) {
    throw new OAuthError('invalid_request', 'The subject_token is not one that Parley handed to an agent of this app.');
  }
  const { principal, credentialId, agent } = subject;
  if ((await hiringSetting({ principal, credentialId, agentId: agent.id })) === 'never') {
    const text = 'The person does not let this agent act for them; they can change that in their settings.';
    throw new OAuthError('invalid_request', text);
  }
  return subject;
}

async function rejectCycle({ credentialId, agent }: ActiveAgentToken, targetId: string): Promise<void> {
  const actorIds = [agent.id, ...(await delegationsOf(credentialId)).map(({ agentId }) => agentId)];
  if (actorIds.includes(targetId))
    throw new OAuthError('invalid_target', 'That agent is acting in this chain already.');
  if (actorIds.length > MAX_DELEGATION_ACTORS) {
    throw new OAuthError('invalid_target', `At most ${MAX_DELEGATION_ACTORS} agents act one behind the other.`);
  }
}
