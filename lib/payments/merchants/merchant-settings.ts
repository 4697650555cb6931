import { type AgentRecord, findAgent, requireRole } from '../../catalog';
import { authorize } from '../../identity';
import { merchantChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { HOUR_MS } from '../../platform/time';
import { KEY_OVERLAP_HOURS, MAX_AUDIT_DETAIL_LENGTH, MAX_MERCHANT_KEYS } from '../limits';
import type { MerchantInput, MerchantView } from '../schema-merchants';
import { changeMerchant, findMerchant, type Merchant } from '../store/merchants';
import { defaultMerchant } from './cart-signer';
import {
  conflictingKids,
  fetchMerchantKeys,
  hasDuplicateKids,
  isValid,
  type MerchantJwk,
  planKeys,
  readMerchantKey,
} from './merchant-keys';

/**
 * The merchant settings of the user's own agent, or the defaults.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for other users' agents, `gone`
 */
export async function getMerchant({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<MerchantView> {
  const seller = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = requireRole(seller, await findAgent(input.slug), 'owner');
  return toMerchantView((await findMerchant(agent.id)) ?? defaultMerchant(agent, ctx.now), ctx.now);
}

/**
 * Sets the signer of the carts of the user's own agent, the issuer, and the keys, which are pinned. Issuer and keys
 * default to the card's host. Omitted keys stay valid for `overlapHours`.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for other users' agents, `gone`;
 * `invalid_request` for invalid keys; `url_refused`, `agent_unreachable`, `agent_timeout` when fetching them
 */
export async function setMerchant({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: MerchantInput & { slug: string };
}): Promise<MerchantView> {
  const seller = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(seller, await findAgent(input.slug), 'owner');
  const requested =
    input.signing === 'platform' ? platformMerchant(agent, ctx.now) : await ownMerchant(ctx, agent, input);
  const overlapMs = (input.overlapHours ?? KEY_OVERLAP_HOURS) * HOUR_MS;
  const saved = await changeMerchant(agent.id, (known) => {
    const keys = planKeys(known?.keys ?? [], requested.keys, { now: ctx.now, overlapMs });
    assertNoKidConflict(conflictingKids(keys, requested.keys));
    const merchant = { ...requested.merchant, keys, createdAt: known?.createdAt ?? ctx.now };
    const detail = [merchant.signing, ...requested.keys.map(({ kid }) => kid)].join(' ');
    const audit = merchantChanged(ctx, { ...agent, detail: detail.slice(0, MAX_AUDIT_DETAIL_LENGTH) });
    return { merchant, audit };
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

async function ownMerchant(ctx: Ctx, agent: AgentRecord, input: MerchantInput): Promise<RequestedMerchant> {
  if (input.keys && input.jwksUrl) {
    throw new ParleyError('invalid_request', 'Send either the keys or their URL, not both.');
  }
  const defaults = defaultMerchant(agent, ctx.now);
  const issuer = input.issuer ?? defaults.issuer;
  if (issuer === env().APP_URL) {
    throw invalidField('/issuer', 'is Parley itself: for carts that Parley signs, set signing to "platform"');
  }
  const jwksUrl = input.keys ? null : (input.jwksUrl ?? defaults.jwksUrl);
  const keys = jwksUrl === null ? readKeys(input.keys ?? []) : await fetchMerchantKeys(jwksUrl, ctx.signal);
  return { merchant: { ...defaults, issuer, jwksUrl }, keys };
}

function readKeys(input: NonNullable<MerchantInput['keys']>): MerchantJwk[] {
  const keys = input.map((jwk, index) => {
    const key = readMerchantKey(jwk);
    if ('error' in key) throw invalidField(`/keys/${index}`, key.error);
    return key;
  });
  if (keys.length === 0) throw invalidField('/keys', `is empty: expected 1 to ${MAX_MERCHANT_KEYS} public keys`);
  if (hasDuplicateKids(keys)) throw invalidField('/keys', 'has two keys with the same kid');
  return keys;
}

function assertNoKidConflict([kid]: string[]): void {
  if (kid === undefined) return;
  throw invalidField(
    '/keys',
    `has a different key with the kid ${kid}, which is still valid: use a new kid, or an overlap of 0`,
  );
}

function invalidField(pointer: string, message: string): ParleyError {
  return new ParleyError('invalid_request', `${pointer}: ${message}.`, { data: { faults: [{ pointer, message }] } });
}

function toMerchantView({ signing, issuer, jwksUrl, keys }: Merchant, now: Date): MerchantView {
  return {
    signing,
    issuer,
    jwksUrl,
    keys: keys
      .filter((key) => isValid(key, now))
      .map(({ kid, createdAt, retiresAt }) => ({
        kid,
        createdAt: createdAt.toISOString(),
        retiresAt: retiresAt?.toISOString() ?? null,
      })),
  };
}
