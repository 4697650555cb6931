import type { AgentRecord } from '../catalog';
import type { CallerActor } from '../platform/context';
import { processSingleton } from '../platform/singleton';
import type { PresentedProof } from '../protocol/oauth/dpop';
import { delegationKeyOf } from './delegation';
import { invalidToken, missingScope } from './errors';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { MicroCache } from './micro-cache';
import { requireDpopProof } from './require-dpop-proof';

/** An agent token and, where it came with one, the proof of possession beside it. */
interface PresentedToken {
  token: string;
  proof?: PresentedProof;
  now: Date;
}

/** Who calls, and the agent that their token is for. */
export interface AuthenticatedCaller {
  caller: CallerActor;
  agent: AgentRecord;
}

interface CachedCaller {
  token: string;
  identified: AuthenticatedCaller;
}

/** Kept by the end of its signature: to look it up by the whole text takes longer than to compare the whole text once. */
const callers = (): MicroCache<CachedCaller> => processSingleton('identified-callers', () => new MicroCache());
const keyOf = (token: string): string => token.slice(-43);

/**
 * Who calls with this token, and which agent it is for; with `slug` it must be for that one. What the gateway hands to agents is
 * refused: an agent can never act here as its caller. A promise only when there is something to look up.
 * @throws {ParleyError} (in either way) `invalid_token`, whatever is wrong with it; `invalid_dpop_proof` and `use_dpop_nonce` for a
 *   bound one; `insufficient_scope` without `agent:call`
 */
export function verifyAgentToken(
  given: PresentedToken & { slug: string | undefined },
): AuthenticatedCaller | Promise<AuthenticatedCaller> {
  const { token, proof, now, slug } = given;
  const cached = proof ? undefined : findCachedCaller(token, now, slug);
  if (cached) return cached;
  const result = proof
    ? authenticate(given).then(({ value }) => value)
    : callers().getOrLoad(keyOf(token), now, () => authenticate(given));
  return result.then(({ identified }) => requireAgent(slug, identified));
}

/**
 * Who calls with a token that was found good within the last second, if nothing changed since.
 * @throws {ParleyError} `invalid_token` when it is for another agent
 */
export function findCachedCaller(token: string, now: Date, slug: string | undefined): AuthenticatedCaller | undefined {
  const cached = callers().get(keyOf(token), now);
  return cached?.token === token ? requireAgent(slug, cached.identified) : undefined;
}

function requireAgent(slug: string | undefined, identified: AuthenticatedCaller): AuthenticatedCaller {
  if (slug === undefined || identified.agent.slug === slug) return identified;
  throw invalidToken();
}

async function authenticate(given: PresentedToken): Promise<{ value: CachedCaller; endsAt: number }> {
  const active = await findActiveToken(given.token, given.now);
  if (!active || active.claims.token_use) throw invalidToken();
  await checkPossession(active, given);
  if (!active.scopes.includes('agent:call')) throw missingScope();
  const delegation = await delegationKeyOf(active.credentialId);
  // One that is known by no record reaches nothing, and must not pass for the person.
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
  const identified = { caller, agent: active.agent };
  return { value: { token: given.token, identified }, endsAt: active.claims.exp * 1000 };
}

/** A bound token is worth nothing without a proof by its key, and no proof makes a bound token of another (RFC 9449 §7.1). */
async function checkPossession({ claims }: ActiveAgentToken, { token, proof, now }: PresentedToken): Promise<void> {
  if (!claims.cnf && !proof) return;
  if (!claims.cnf || !proof) throw invalidToken();
  if ((await requireDpopProof(proof, { accessToken: token, now })) !== claims.cnf.jkt) throw invalidToken();
}
