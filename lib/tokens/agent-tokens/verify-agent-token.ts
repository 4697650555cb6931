import { type AgentRecord, findAgentById } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import type { AgentScope } from '../../platform/scopes';
import type { AgentTokenClaims, GenericTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { mayCall } from '../authorization';
import { findActiveCredential } from '../credentials/credentials';
import { delegationKeyOf, findScopes } from '../credentials/grants';
import { isRevoked } from '../credentials/revoked-tokens';
import { invalidToken, missingScope, refuse } from '../errors';
import { requireDpopProof } from '../keys/verify-dpop-proof';
import { audienceOf, isWithinLifetime } from './agent-token-format';
import { findVerifiedToken, MicroCache } from './token-caches';

/** An agent token and its DPoP proof, if any. */
interface PresentedToken {
  token: string;
  proof?: PresentedProof;
  now: Date;
}

/** The caller, and the agent for which the token was issued. */
export interface AuthenticatedCaller {
  caller: CallerActor;
  agent: AgentRecord;
}

interface CachedCaller {
  token: string;
  authenticated: AuthenticatedCaller;
}

/** Keyed by the last 43 characters of the token, because hashing the whole text is slower than comparing it once. */
const callers = new MicroCache<CachedCaller>();
const keyOf = (token: string): string => token.slice(-43);

/**
 * Returns the caller and the agent of this token. With `slug`, the token must be for that agent. Rejects upstream tokens,
 * so that an agent cannot act as its caller. Synchronous on a cache hit.
 * @throws {ParleyError} (thrown or rejected) `invalid_token` for any defect; `invalid_dpop_proof` and `use_dpop_nonce`
 *   for a bound token; `insufficient_scope` without `agent:call`
 */
export function verifyAgentToken(
  given: PresentedToken & { slug: string | undefined },
): AuthenticatedCaller | Promise<AuthenticatedCaller> {
  const { token, proof, now, slug } = given;
  const cached = proof ? undefined : findCachedCaller(token, now, slug);
  if (cached) return cached;
  const result = proof
    ? authenticate(given).then(({ value }) => value)
    : callers.getOrLoad(keyOf(token), now, () => authenticate(given));
  return result.then(({ authenticated }) => requireAgent(slug, authenticated));
}

/**
 * Returns the caller of a token that was verified within the last second, if no relevant change has occurred since,
 * otherwise undefined.
 * @throws {ParleyError} `invalid_token` if it is for another agent
 */
export function findCachedCaller(token: string, now: Date, slug: string | undefined): AuthenticatedCaller | undefined {
  const cached = callers.get(keyOf(token), now);
  return cached?.token === token ? requireAgent(slug, cached.authenticated) : undefined;
}

function requireAgent(slug: string | undefined, authenticated: AuthenticatedCaller): AuthenticatedCaller {
  if (slug === undefined || authenticated.agent.slug === slug) return authenticated;
  throw invalidToken();
}

async function authenticate(given: PresentedToken): Promise<{ value: CachedCaller; endsAt: number }> {
  const active = await findActiveToken(given.token, given.now);
  if (!active || active.claims.token_use) throw invalidToken();
  await checkPossession(active, given);
  if (!active.scopes.includes('agent:call')) throw missingScope();
  const delegation = await delegationKeyOf(active.credentialId);
  // A delegation without a row must not be treated as the user.
  if (delegation === undefined && active.credentialId.startsWith('dlg_')) throw invalidToken();
  const caller: CallerActor = {
    kind: 'caller',
    principal: active.principal,
    credentialId: active.credentialId,
    tokenId: active.claims.jti,
    agentId: active.agent.id,
    clientId: active.claims.client_id,
    scopes: active.scopes,
    ...(delegation !== undefined && { delegation }),
  };
  const authenticated = { caller, agent: active.agent };
  return { value: { token: given.token, authenticated }, endsAt: active.claims.exp * 1000 };
}

/** Requires a proof by its key for a bound token; an unbound token must be sent without a proof (RFC 9449 §7.1). */
async function checkPossession({ claims }: ActiveAgentToken, { token, proof, now }: PresentedToken): Promise<void> {
  if (!claims.cnf && !proof) return;
  if (!claims.cnf || !proof) throw invalidToken();
  if ((await requireDpopProof(proof, { accessToken: token, now })) !== claims.cnf.jkt) throw invalidToken();
}

/** A token that is valid now, with its principal and agent. */
export interface ActiveAgentToken {
  claims: AgentTokenClaims;
  credentialId: string;
  principal: string;
  agent: AgentRecord;
  /** The token's scopes that are still granted. */
  scopes: AgentScope[];
}

/** A user's valid token without a specific agent. */
export interface ActiveUserToken {
  claims: GenericTokenClaims;
  userId: string;
}

/**
 * Returns the token if all its conditions hold at `now`: valid signature, time, own id, credential, user and agent, and
 * the user's permission to call the agent. Otherwise null, and only the log contains the reason.
 */
export async function findActiveToken(token: string, now: Date): Promise<ActiveAgentToken | null> {
  const active = await findActiveTokenOfAnyKind(token, now);
  return active && 'agent' in active ? active : null;
}

/** Like {@link findActiveToken}, and also returns a user's generic token, which has no specific agent. */
export async function findActiveTokenOfAnyKind(
  token: string,
  now: Date,
): Promise<ActiveAgentToken | ActiveUserToken | null> {
  const verified = await findVerifiedToken(token, now);
  if (!verified) return null;
  const { claims, credentialId } = verified;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return refuse('lifetime');
  if (await isRevoked(claims.jti, now)) return refuse('revoked');
  const credential = await findActiveCredential(credentialId, now);
  if (!credential) return refuse('credential_ended');
  const { principal } = credential;
  if (claims.token_use === 'generic') return { claims, userId: principal };
  const agent = await findAgentById(claims.agent_id);
  if (!agent || claims.aud !== audienceOf(agent.slug)) return refuse('audience');
  if (!mayCall(principal, agent)) return refuse('agent_unavailable');
  const scopes = await activeScopes(claims.scope, { principal, credentialId, agent });
  return { claims, credentialId, principal, agent, scopes };
}

async function activeScopes(text: string, grant: Parameters<typeof findScopes>[0]): Promise<AgentScope[]> {
  if (text === 'agent:call') return ['agent:call'];
  const named = text.split(' ');
  return (await findScopes(grant)).filter((scope) => named.includes(scope));
}
