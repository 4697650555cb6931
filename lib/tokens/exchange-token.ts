import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import type { ShownProof } from '../protocol/oauth/dpop';
import { OAuthFault } from '../protocol/oauth/faults';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { findTarget } from './audience';
import { delegationsOf } from './delegation';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { findScopes } from './grants';
import { issueToken } from './issue-token';
import { HANDSHAKE_LIMIT } from './limits';
import { requireApp } from './policy';
import { readScopes } from './read-scopes';
import { requireProof } from './require-proof';
import { keepDelegation } from './store/delegations';
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
  proof?: ShownProof;
}

/**
 * Lets an agent call another one on behalf of the person who called it (RFC 8693): its app exchanges the token that the
 * gateway handed to it. Only downwards: the person must have granted `delegate`, the scopes are at most those of the token,
 * and so is its end. Who acted for whom stands in `act`.
 * @throws {OAuthFault} `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function exchangeToken({ ctx, input }: { ctx: Ctx; input: ExchangeInput }): Promise<TokenResponse> {
  const app = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, app.appId, ctx.now);
  requireTokenTypes(input);
  const subject = requireSubject(await findActiveToken(input.subjectToken, ctx.now), app.appId);
  const target = await findTarget(subject.principal, input);
  await refuseCycle(subject, target.id);
  const wanted = readScopes(input.scope, subject.scopes);
  const asked = {
    id: newId('dlg'),
    parentId: subject.credentialId,
    agentId: subject.agent.id,
    secretId: app.credentialId,
    principal: subject.principal,
  };
  const { id: credentialId } = await keepDelegation({ ...asked, scopes: wanted }, ctx.now);
  const grant = { principal: subject.principal, credentialId, agent: target, clientId: app.clientId };
  const scopes = await findScopes(grant);
  if (scopes.length === 0) throw new OAuthFault('invalid_scope', 'Nothing of what was asked for holds at that agent.');
  const jkt = input.proof && (await requireProof(input.proof, ctx));
  const issued = await issueToken({ ...grant, scopes, jkt, notAfter: subject.claims.exp }, ctx.now);
  return { ...toTokenResponse(issued), issued_token_type: accessToken };
}

function requireTokenTypes({ subjectTokenType, requestedTokenType = accessToken }: ExchangeInput): void {
  for (const type of [subjectTokenType, requestedTokenType]) {
    if (!tokenTypes.includes(type)) {
      throw new OAuthFault('invalid_request', `Expected the token type ${accessToken}.`);
    }
  }
}

/** The token that the gateway handed to an agent of this app, and whose person lets that agent act for them. */
function requireSubject(subject: ActiveAgentToken | null, appId: string): ActiveAgentToken {
  if (subject?.claims.token_use !== 'upstream' || subject.agent.appId !== appId) {
    throw new OAuthFault('invalid_request', 'The subject_token is not one that Parley handed to an agent of this app.');
  }
  if (!subject.scopes.includes('delegate')) {
    const text = 'The person has not granted this agent to act for them (scope delegate); they can in their settings.';
    throw new OAuthFault('invalid_request', text);
  }
  return subject;
}

async function refuseCycle({ credentialId, agent }: ActiveAgentToken, targetId: string): Promise<void> {
  const acting = [agent.id, ...(await delegationsOf(credentialId)).map(({ agentId }) => agentId)];
  if (acting.includes(targetId)) throw new OAuthFault('invalid_target', 'That agent is acting in this chain already.');
  if (acting.length > maxActors) {
    throw new OAuthFault('invalid_target', `At most ${maxActors} agents act one behind the other.`);
  }
}
