import type { AgentRecord } from '../../catalog';
import { consume } from '../../limits';
import type { Call, CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { AgentScope } from '../../platform/scopes';
import { HubError } from '../../protocol/hub/errors';
import { OAuthError, type TokenResponse } from '../../protocol/oauth/authorization-server';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { findTarget, issueToken, type TokenGrant, toTokenResponse } from '../agent-tokens/issue-token';
import { type ActiveAgentToken, findActiveToken } from '../agent-tokens/verify-agent-token';
import { readScopes, requireApp } from '../authorization';
import { findActingClient, findActiveCredential } from '../credentials/credentials';
import { delegationKeyOf, delegationsOf, findScopes, hiringSetting } from '../credentials/grants';
import { requireDpopProof } from '../keys/verify-dpop-proof';
import { MAX_DELEGATION_ACTORS } from '../limits';
import { HANDSHAKE_LIMIT } from '../rate-limits';
import { upsertDelegation } from '../store/grant-rows';
import { credentialOfTask } from './upstream-token';

/** An agent that acts for the caller of one of its tasks, without a token exchange. */
interface Delegated {
  task: { principal: string; credentialId: string };
  /** The agent that works on the task. */
  agent: AgentRecord;
  /** The credential of the agent: a secret of its app, or an access token of a user who serves it. */
  actingId: string;
  /** The agent to call. The caller must have checked that the principal may call it. */
  target: AgentRecord;
}

/**
 * Returns the identity with which the agent calls `target`. It equals the result of exchanging the task's upstream
 * token with all its scopes.
 * @throws {HubError} `no_person` for a task of an app, `hiring_refused`, `caller_ended`
 * @throws {ParleyError} `invalid_target` for an agent that already acts in the chain, or if too many agents act in it
 */
export async function delegatedCaller(input: Delegated, now: Date): Promise<CallerActor> {
  const { task, agent, actingId, target } = input;
  const { principal } = task;
  if (!principal.startsWith('usr_')) {
    throw new HubError('no_person', 'The caller of this run is an app. Agents can only act for users.');
  }
  const credentialId = await credentialOfTask(task, now);
  const active = await findActiveCredential(credentialId, now);
  const client = await findActingClient(actingId, agent, now);
  if (active?.principal !== principal || !client) throw callerEnded();
  const { clientId } = client;
  const grant = await delegateAll({ agent, principal, credentialId, actingId, clientId }, target, now);
  const delegation = await delegationKeyOf(grant.credentialId);
  // A delegation without a row must not be treated as the user.
  if (delegation === undefined) throw callerEnded();
  const { scopes } = grant;
  return {
    kind: 'caller',
    principal,
    credentialId: grant.credentialId,
    delegation,
    agentId: target.id,
    clientId,
    scopes,
  };
}

function callerEnded(): HubError {
  return new HubError('caller_ended', 'The token or session of the caller of this run has expired or was revoked.');
}

async function delegateAll(delegator: Delegator, target: AgentRecord, now: Date): Promise<TokenGrant> {
  const { principal, credentialId, agent } = delegator;
  if ((await hiringSetting({ principal, credentialId, agentId: agent.id })) === 'never') {
    const text = 'The user does not allow this agent to act for them. They can change this in their settings.';
    throw new HubError('hiring_refused', text);
  }
  try {
    const scopes = delegableScopes(await findScopes(delegator));
    return await delegate(delegator, { target, scopes }, now);
  } catch (error) {
    throw error instanceof OAuthError ? new ParleyError('invalid_target', error.message) : error;
  }
}

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
 * Exchanges a token (RFC 8693): an agent's app exchanges an upstream token for a token with which it calls another
 * agent on behalf of the user, unless the user excluded that. Scopes and expiry never exceed those of the subject
 * token. `act` contains the acting agents.
 * @throws {OAuthError} `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function exchangeToken({ ctx, input }: Call<ExchangeInput>): Promise<TokenResponse> {
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
 * Returns the subject token if it is an upstream token for an agent of this app that may hire others for the user. An
 * agent that must ask also receives a token, but its messages wait for the user's approval.
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

/** An agent that acts for the principal of the credential with which it was called. */
interface Delegator {
  agent: AgentRecord;
  principal: string;
  credentialId: string;
  /** The credential of the agent: a secret of its app, or an access token of a user who serves it. */
  actingId: string;
  clientId: string;
}

/**
 * Returns the credential with which the agent calls `target`: a delegation, with the subset of `scopes` that is valid
 * for `target`. The caller must have checked that the agent may hire and that the principal may call `target`.
 * @throws {OAuthError} `invalid_target` for an agent that already acts in the chain, or if too many agents act in it;
 * `invalid_scope`
 */
async function delegate(
  { agent, principal, credentialId, actingId, clientId }: Delegator,
  { target, scopes }: { target: AgentRecord; scopes: AgentScope[] },
  now: Date,
): Promise<TokenGrant> {
  await rejectCycle({ agent, credentialId }, target.id);
  const ids = { id: newId('dlg'), parentId: credentialId, agentId: agent.id, secretId: actingId, principal };
  const delegation = await upsertDelegation({ ...ids, scopes }, now);
  const grant = { principal, credentialId: delegation.id, agent: target, clientId };
  const granted = await findScopes(grant);
  if (granted.length === 0)
    throw new OAuthError('invalid_scope', 'None of the requested scopes is available at that agent.');
  return { ...grant, scopes: granted };
}

/**
 * Returns the scopes that an agent delegates. For the target, the user's setting determines whether it may hire others.
 */
function delegableScopes(scopes: AgentScope[]): AgentScope[] {
  return [...new Set([...scopes, 'delegate' as const])];
}

async function rejectCycle(
  { credentialId, agent }: Pick<Delegator, 'credentialId' | 'agent'>,
  targetId: string,
): Promise<void> {
  const actorIds = [agent.id, ...(await delegationsOf(credentialId)).map(({ agentId }) => agentId)];
  if (actorIds.includes(targetId))
    throw new OAuthError('invalid_target', 'That agent is already acting in this chain.');
  if (actorIds.length > MAX_DELEGATION_ACTORS) {
    throw new OAuthError('invalid_target', `A chain has at most ${MAX_DELEGATION_ACTORS} agents.`);
  }
}
