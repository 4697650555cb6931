import { type AgentRecord, findAgent, findAgentById } from '../../catalog';
import { authorize, findUser } from '../../identity';
import { consume } from '../../limits';
import type { Call, Ctx } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import type { AgentScope } from '../../platform/scopes';
import { hmac } from '../../platform/secrets/crypto';
import { extensionsToActivate } from '../../protocol/extensions';
import { OAuthError, type TokenResponse, type TokenType } from '../../protocol/oauth/authorization-server';
import {
  type ActorClaim,
  type AgentTokenClaims,
  type GenericTokenClaims,
  writeAgentToken,
} from '../../protocol/oauth/jwt-access-tokens';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { mayCall } from '../authorization';
import { defaultClientId } from '../credentials/authenticate-clients';
import { delegationsOf, findScopes, recordAgentUse } from '../credentials/grants';
import { invalidTarget } from '../errors';
import { findSigner, signJwt } from '../keys/keys';
import { requireDpopProof } from '../keys/verify-dpop-proof';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { HANDSHAKE_LIMIT } from '../rate-limits';
import type { GenericToken, Handshake, HandshakeRequest } from '../schema';
import { audienceOf, newTokenId } from './agent-token-format';
import { rememberIssuedToken, verifiedTokenEpoch } from './token-caches';

/**
 * Issues a token for one agent to the user. It is valid for 15 minutes and only while the session or access token of
 * the request is valid. With a DPoP proof, it is bound to the proof's key.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `invalid_dpop_proof`,
 *   `use_dpop_nonce`; `invalid_target` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function handshake({
  ctx,
  input,
}: Call<HandshakeRequest & { proof?: PresentedProof }>): Promise<Handshake> {
  const user = authorize(ctx.actor, { scope: 'handshake' });
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const agent = await findAgent(input.agentSlug);
  if (!agent || !mayCall(user.userId, agent)) throw invalidTarget();
  const grant = { principal: user.userId, credentialId: user.credential.id, agent, clientId: defaultClientId(user) };
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  const { token, claims } = await issueToken({ ...grant, jkt, scopes: await findScopes(grant) }, ctx.now);
  recordAgentUse(grant, ctx.now);
  const extensions = extensionsToActivate(agent.card);
  return {
    token,
    tokenType: tokenTypeOf(claims),
    agentUrl: audienceOf(agent.slug),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_TTL_SECONDS,
    scope: claims.scope,
    ...(extensions.length > 0 && { extensions }),
  };
}

/**
 * Issues a token without an agent as audience, as Web42 does for agents under development that are called directly. No
 * endpoint of Parley accepts it; introspection reports it as active only to apps of the same user.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`
 */
export async function issueGenericToken({ ctx }: { ctx: Ctx }): Promise<GenericToken> {
  const user = authorize(ctx.actor, { scope: 'handshake' });
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const exp = iat + AGENT_TOKEN_TTL_SECONDS;
  const issuer = env().APP_URL;
  const claims: GenericTokenClaims = {
    iss: issuer,
    sub: subjectOf({ principal: user.userId, agent: { ownerId: user.userId } }),
    aud: issuer,
    client_id: defaultClientId(user),
    iat,
    exp,
    jti: newTokenId(user.credential.id),
    token_use: 'generic',
  };
  return {
    token: await signJwt('at+jwt', claims, ctx.now),
    tokenType: 'Bearer',
    expiresAt: new Date(exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_TTL_SECONDS,
  };
}

/** The data from which an agent token is issued. */
export interface TokenGrant {
  /** The owner of the tasks: `usr_…` or `app_…`. */
  principal: string;
  /** The session, access token, app secret or delegation. The token is valid only while this credential is valid. */
  credentialId: string;
  agent: AgentRecord;
  clientId: string;
  scopes: AgentScope[];
  /** Set for tokens that the gateway sends to the agent. */
  use?: 'upstream';
  /** Binds the token to a key (RFC 9449 §6). */
  jkt?: string;
  /** Latest expiry, seconds since 1970. */
  notAfter?: number;
}

/**
 * Signs an agent token with a lifetime of at most 900 seconds (RFC 9068). Tokens are not stored; only the ids of
 * revoked ones are.
 */
export async function issueToken(grant: TokenGrant, now: Date): Promise<{ token: string; claims: AgentTokenClaims }> {
  const epoch = verifiedTokenEpoch();
  const claims = await claimsOf(grant, now);
  const signer = await findSigner('token', now);
  const text = writeAgentToken(signer.kid, claims);
  const token = `${text}.${signer.sign(text).toString('base64url')}`;
  rememberIssuedToken(token, { claims, credentialId: grant.credentialId }, epoch);
  return { token, claims };
}

async function claimsOf(grant: TokenGrant, now: Date): Promise<AgentTokenClaims> {
  const act = await actorClaimOf(grant.credentialId);
  const iat = Math.floor(now.getTime() / 1000);
  return {
    iss: env().APP_URL,
    sub: subjectOf(grant),
    aud: audienceOf(grant.agent.slug),
    client_id: grant.clientId,
    agent_id: grant.agent.id,
    agent_slug: grant.agent.slug,
    scope: grant.scopes.join(' '),
    iat,
    exp: Math.min(iat + AGENT_TOKEN_TTL_SECONDS, grant.notAfter ?? Number.POSITIVE_INFINITY),
    jti: newTokenId(grant.credentialId),
    ...(await userClaims(grant.principal, grant.scopes)),
    ...(act && { act }),
    ...(grant.use && { token_use: grant.use }),
    ...(grant.jkt && { cnf: { jkt: grant.jkt } }),
  };
}

/**
 * Returns the `act` claim of the agents that act for the user, newest outermost (RFC 8693 §4.1); undefined for a direct
 * call.
 */
async function actorClaimOf(credentialId: string): Promise<ActorClaim | undefined> {
  let act: ActorClaim | undefined;
  for (const { agentId } of (await delegationsOf(credentialId)).reverse()) {
    const agent = await findAgentById(agentId);
    act = { sub: agent ? audienceOf(agent.slug) : agentId, ...(act && { act }) };
  }
  return act;
}

/** Returns the user claims that the scopes allow: `email` permits the email address, `profile` the name. */
export async function userClaims(
  principal: string,
  scopes: readonly AgentScope[],
): Promise<{ email?: string; name?: string }> {
  const needsUser = scopes.includes('email') || scopes.includes('profile');
  const user = needsUser ? await findUser(principal) : null;
  return {
    ...(user && scopes.includes('email') && { email: user.email }),
    ...(user && scopes.includes('profile') && { name: user.name }),
  };
}

/**
 * Returns the pairwise subject, which is stable per user and agent owner, so that two developers cannot correlate their
 * users.
 */
export function subjectOf({ principal, agent }: { principal: string; agent: { ownerId: string } }): string {
  return hmac('pairwise', `${principal} ${agent.ownerId}`);
}

/** Returns the `sub` of a token that we issued, without verification. */
export function readSubject(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sub: string };
  return claims.sub;
}

/** Returns the authentication scheme of a token. A bound token requires a DPoP proof (RFC 9449 §7.1). */
export function tokenTypeOf({ cnf }: Pick<AgentTokenClaims, 'cnf'>): TokenType {
  return cnf ? 'DPoP' : 'Bearer';
}

/** Returns an agent token as a response of the token endpoint. */
export function toTokenResponse({ token, claims }: { token: string; claims: AgentTokenClaims }): TokenResponse {
  return {
    access_token: token,
    token_type: tokenTypeOf(claims),
    expires_in: claims.exp - claims.iat,
    scope: claims.scope,
  };
}

/** Endpoints of one agent under our origin. Each is a resource of RFC 9728, and one token is valid at all of them. */
const AGENT_ENDPOINTS = [
  /^\/agents\/([\w-]+)$/,
  /^\/agents\/([\w-]+)\/(?:society|tasks\/process|a2a\/(?:jsonrpc|rpc|agent\/authenticatedExtendedCard|rest(?:\/[^?#]*)?))$/,
  /^\/v1\/(?:agents|agent-systems)\/([\w-]+)\/a2a$/,
];

/** Endpoints at which each call specifies the agent. As a resource, they denote the default agent. */
const SHARED_ENDPOINTS = ['/', '/a2a', '/a2a/jsonrpc', '/a2a/rpc', '/tasks/process'];

/**
 * Returns the slug of the agent in a resource indicator (RFC 8707 §2), which is its audience or one of its endpoints.
 */
function slugOf(resource: string): string | undefined {
  const { APP_URL, DEFAULT_AGENT } = env();
  if (!resource.startsWith(`${APP_URL}/`)) return undefined;
  const path = resource.slice(APP_URL.length);
  if (SHARED_ENDPOINTS.includes(path)) return DEFAULT_AGENT;
  for (const pattern of AGENT_ENDPOINTS) {
    const slug = pattern.exec(path)?.[1];
    if (slug !== undefined) return slug;
  }
  return undefined;
}

/**
 * Finds the agent that a token request specifies by `resource` (RFC 8707 §2), by `audience` (RFC 8693 §2.1), or by both
 * if they agree. Only an exact match with its URL or one of its endpoints counts.
 * @throws {OAuthError} `invalid_target` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function findTarget(
  principal: string,
  { resource, audience }: { resource?: string; audience?: string },
): Promise<AgentRecord> {
  const [slug, ...others] = [resource, audience].flatMap((named) => (named === undefined ? [] : [slugOf(named)]));
  const areEqual = others.every((other) => other === slug);
  const agent = areEqual && slug !== undefined ? await findAgent(slug) : null;
  if (agent && mayCall(principal, agent)) return agent;
  const prefix = audienceOf('');
  throw new OAuthError('invalid_target', `Expected "resource" to be one agent that you may call: ${prefix}{slug}.`);
}
