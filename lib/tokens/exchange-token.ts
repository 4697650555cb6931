import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import type { PresentedProof } from '../protocol/oauth/dpop';
import { OAuthError } from '../protocol/oauth/oauth-error';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { findTarget } from './audience';
import { delegationsOf } from './delegation';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { findScopes } from './grants';
import { issueToken } from './issue-token';
import { requireApp } from './policy';
import { HANDSHAKE_LIMIT } from './rate-limits';
import { readScopes } from './read-scopes';
import { requireDpopProof } from './require-dpop-proof';
import { upsertDelegation } from './store/delegations';
import { toTokenResponse } from './to-wire';

/** Agents that may act one behind the other (TOK-4). */
const maxActors = 4;

/** Both names of the one kind that is taken and given (RFC 8693 §3). */
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const tokenTypes = [accessToken, 'urn:ietf:params:oauth:token-type:jwt'];

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
 * Lets an agent call another one on behalf of the person who called it (RFC 8693): its app exchanges the token that the
 * gateway handed to it. Only downwards: the person must have granted `delegate`, the scopes are at most those of the token,
 * and so is its end. Who acted for whom stands in `act`.
 * @throws {OAuthError} `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function exchangeToken({ ctx, input }: { ctx: Ctx; input: ExchangeInput }): Promise<TokenResponse> {
  const app = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, app.appId, ctx.now);
  requireTokenTypes(input);
  const subject = requireSubject(await findActiveToken(input.subjectToken, ctx.now), app.appId);
  const target = await findTarget(subject.principal, input);
  await rejectCycle(subject, target.id);
  const requestedScopes = readScopes(input.scope, subject.scopes);
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
  return { ...toTokenResponse(issued), issued_token_type: accessToken };
}

function requireTokenTypes({ subjectTokenType, requestedTokenType = accessToken }: ExchangeInput): void {
  for (const type of [subjectTokenType, requestedTokenType]) {
    if (!tokenTypes.includes(type)) {
      throw new OAuthError('invalid_request', `Expected the token type ${accessToken}.`);
    }
  }
}

/** The token that the gateway handed to an agent of this app, and whose person lets that agent act for them. */
function requireSubject(subject: ActiveAgentToken | null, appId: string): ActiveAgentToken {
  if (subject?.claims.token_use !== 'upstream' || subject.agent.appId !== appId) {
    throw new OAuthError('invalid_request', 'The subject_token is not one that Parley handed to an agent of this app.');
  }
  if (!subject.scopes.includes('delegate')) {
    const text = 'The person has not granted this agent to act for them (scope delegate); they can in their settings.';
    throw new OAuthError('invalid_request', text);
  }
  return subject;
}

async function rejectCycle({ credentialId, agent }: ActiveAgentToken, targetId: string): Promise<void> {
  const actorIds = [agent.id, ...(await delegationsOf(credentialId)).map(({ agentId }) => agentId)];
  if (actorIds.includes(targetId))
    throw new OAuthError('invalid_target', 'That agent is acting in this chain already.');
  if (actorIds.length > maxActors) {
    throw new OAuthError('invalid_target', `At most ${maxActors} agents act one behind the other.`);
  }
}
