import type { AgentRecord } from '../catalog';
import type { CallerActor } from '../platform/context';
import { shared } from '../platform/registry';
import type { ShownProof } from '../protocol/oauth/dpop';
import { delegationKeyOf } from './delegation';
import { invalidToken, missingScope } from './errors';
import { type ActiveAgentToken, findActiveToken } from './find-active-token';
import { Recall } from './recall';
import { requireProof } from './require-proof';

/** An agent token and, where it came with one, the proof of possession beside it. */
interface ShownToken {
  token: string;
  proof?: ShownProof;
  now: Date;
}

/** Who calls, and the agent that their token is for. */
export interface Identified {
  caller: CallerActor;
  agent: AgentRecord;
}

interface Found {
  token: string;
  identified: Identified;
}

/** Kept by the end of its signature: to look it up by the whole text takes longer than to compare the whole text once. */
const callers = (): Recall<Found> => shared('identified-callers', () => new Recall());
const keyOf = (token: string): string => token.slice(-43);

/**
 * Who calls with this token, and which agent it is for; with `slug` it must be for that one. What the gateway hands to agents is
 * refused: an agent can never act here as its caller. A promise only when there is something to look up.
 * @throws {ParleyError} (in either way) `invalid_token`, whatever is wrong with it; `invalid_dpop_proof` and `use_dpop_nonce` for a
 *   bound one; `insufficient_scope` without `agent:call`
 */
export function verifyAgentToken(given: ShownToken & { slug: string | undefined }): Identified | Promise<Identified> {
  const { token, proof, now, slug } = given;
  const known = proof ? undefined : recallCaller(token, now, slug);
  if (known) return known;
  const looked = proof
    ? identify(given).then(({ value }) => value)
    : callers().find(keyOf(token), now, () => identify(given));
  return looked.then(({ identified }) => isFor(slug, identified));
}

/**
 * Who calls with a token that was found good within the last second, if nothing changed since.
 * @throws {ParleyError} `invalid_token` when it is for another agent
 */
export function recallCaller(token: string, now: Date, slug: string | undefined): Identified | undefined {
  const known = callers().get(keyOf(token), now);
  return known?.token === token ? isFor(slug, known.identified) : undefined;
}

function isFor(slug: string | undefined, identified: Identified): Identified {
  if (slug === undefined || identified.agent.slug === slug) return identified;
  throw invalidToken();
}

async function identify(given: ShownToken): Promise<{ value: Found; endsAt: number }> {
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
async function checkPossession({ claims }: ActiveAgentToken, { token, proof, now }: ShownToken): Promise<void> {
  if (!claims.cnf && !proof) return;
  if (!claims.cnf || !proof) throw invalidToken();
  if ((await requireProof(proof, { accessToken: token, now })) !== claims.cnf.jkt) throw invalidToken();
}
