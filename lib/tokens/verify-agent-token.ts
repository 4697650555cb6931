import type { CallerActor } from '../platform/context';
import type { ShownProof } from '../protocol/oauth/dpop';
import { invalidToken, missingScope } from './errors';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { requireProof } from './require-proof';

/** An agent token and, where it came with one, the proof of possession beside it. */
interface ShownToken {
  token: string;
  proof?: ShownProof;
  now: Date;
}

/**
 * Who calls the agent `slug` with this token. What the gateway hands to agents is refused: an agent can never act here
 * as its caller.
 * @throws {ParleyError} `invalid_token`, whatever is wrong with it; `invalid_dpop_proof` and `use_dpop_nonce` for a bound one;
 *   `insufficient_scope` without `agent:call`
 */
export async function verifyAgentToken(given: ShownToken & { slug: string }): Promise<CallerActor> {
  const { caller, slug } = await identifyCaller(given);
  if (slug !== given.slug) throw invalidToken();
  return caller;
}

/**
 * Who calls with this token, and which agent it is for; for paths that do not tell the agent.
 * @throws {ParleyError} `invalid_token`, whatever is wrong with it; `invalid_dpop_proof` and `use_dpop_nonce` for a bound one;
 *   `insufficient_scope` without `agent:call`
 */
export async function identifyCaller(given: ShownToken): Promise<{ caller: CallerActor; slug: string }> {
  const active = await findActiveToken(given.token, given.now);
  if (!active || active.claims.token_use) throw invalidToken();
  await checkPossession(active, given);
  if (!active.scopes.includes('agent:call')) throw missingScope();
  const caller: CallerActor = {
    kind: 'caller',
    principal: active.principal,
    credentialId: active.credentialId,
    tokenId: active.claims.jti,
    agentId: active.agent.id,
    clientId: active.claims.client_id,
    scopes: active.scopes,
  };
  return { caller, slug: active.agent.slug };
}

/** A bound token is worth nothing without a proof by its key, and no proof makes a bound token of another (RFC 9449 §7.1). */
async function checkPossession({ claims }: ActiveAgentToken, { token, proof, now }: ShownToken): Promise<void> {
  if (!claims.cnf && !proof) return;
  if (!claims.cnf || !proof) throw invalidToken();
  if ((await requireProof(proof, { accessToken: token, now })) !== claims.cnf.jkt) throw invalidToken();
}
