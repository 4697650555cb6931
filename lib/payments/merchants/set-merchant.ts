import { type AgentRecord, findAgent, requireRole } from '../../catalog';
import { merchantChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { requireSeller } from '../policy';
import type { MerchantInput, MerchantView } from '../schema';
import { changeMerchant, type Merchant } from '../store/merchants';
import { defaultMerchant } from './default-merchant';
import { fetchMerchantKeys } from './fetch-merchant-keys';
import { conflictingKids, planKeys } from './plan-keys';
import { MAX_KEYS, type MerchantJwk, readMerchantKey } from './read-merchant-key';
import { toMerchantView } from './to-wire';

const hourMs = 3_600_000;
const defaultOverlapHours = 24;

/**
 * Sets how a person's own agent sells: who signs its carts, what `iss` says, and by which keys, which are pinned from here on.
 * Without address and keys they are those of the card's host. Keys that are left out go on counting for `overlapHours`.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`;
 *   `invalid_request` for keys that cannot be used; `url_refused`, `agent_unreachable`, `agent_timeout` of their address
 */
export async function setMerchant({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: MerchantInput & { slug: string };
}): Promise<MerchantView> {
  const seller = requireSeller(ctx.actor, 'agents:write');
  const agent = requireRole(seller, await findAgent(input.slug), 'owner');
  const wanted = input.signing === 'platform' ? platformMerchant(agent, ctx.now) : await ownKeys(ctx, agent, input);
  const overlapMs = (input.overlapHours ?? defaultOverlapHours) * hourMs;
  const saved = await changeMerchant(agent.id, (known) => {
    const keys = planKeys(known?.keys ?? [], wanted.keys, { now: ctx.now, overlapMs });
    assertNoKidConflict(conflictingKids(keys, wanted.keys));
    const merchant = { ...wanted.merchant, keys, createdAt: known?.createdAt ?? ctx.now };
    const detail = [merchant.signing, ...wanted.keys.map(({ kid }) => kid)].join(' ').slice(0, 500);
    return { merchant, audit: merchantChanged(ctx, { ...agent, detail }) };
  });
  return toMerchantView(saved, ctx.now);
}

interface RequestedMerchant {
  merchant: Omit<Merchant, 'keys'>;
  keys: MerchantJwk[];
}

function platformMerchant(agent: AgentRecord, now: Date): RequestedMerchant {
  const merchant: Merchant = {
    ...defaultMerchant(agent, now),
    signing: 'platform',
    issuer: env().APP_URL,
    jwksUrl: null,
  };
  return { merchant, keys: [] };
}

async function ownKeys(ctx: Ctx, agent: AgentRecord, input: MerchantInput): Promise<RequestedMerchant> {
  if (input.keys && input.jwksUrl) {
    throw new ParleyError('invalid_request', 'Give the keys themselves or their address, not both.');
  }
  const defaults = defaultMerchant(agent, ctx.now);
  const issuer = input.issuer ?? defaults.issuer;
  if (issuer === env().APP_URL) {
    throw invalidField('/issuer', 'is Parley itself: for carts that Parley signs, set signing to "platform"');
  }
  const jwksUrl = input.keys ? null : (input.jwksUrl ?? defaults.jwksUrl);
  const keys = jwksUrl === null ? givenKeys(input.keys ?? []) : await fetchMerchantKeys(jwksUrl, ctx.signal);
  return { merchant: { ...defaults, issuer, jwksUrl }, keys };
}

function givenKeys(given: NonNullable<MerchantInput['keys']>): MerchantJwk[] {
  const keys = given.map((jwk, index) => {
    const key = readMerchantKey(jwk);
    if ('fault' in key) throw invalidField(`/keys/${index}`, key.fault);
    return key;
  });
  if (keys.length === 0) throw invalidField('/keys', `is empty: expected 1 to ${MAX_KEYS} public keys`);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw invalidField('/keys', 'has two keys under one kid');
  return keys;
}

function assertNoKidConflict([kid]: string[]): void {
  if (kid === undefined) return;
  throw invalidField(
    '/keys',
    `has another key under the kid ${kid}, which still counts: use a new kid, or an overlap of 0`,
  );
}

function invalidField(pointer: string, message: string): ParleyError {
  return new ParleyError('invalid_request', `${pointer}: ${message}.`, { data: { faults: [{ pointer, message }] } });
}
