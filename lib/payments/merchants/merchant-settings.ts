import { type AgentRecord, findAgent, isBuiltInUrl, isHubUrl, requireRole } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import { merchantChanged } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { HOUR_MS } from '../../platform/time';
import { listJwks } from '../../tokens';
import { JWKS_TIMEOUT_MS, KEY_OVERLAP_HOURS, MAX_AUDIT_DETAIL_LENGTH, MAX_MERCHANT_KEYS } from '../limits';
import { KEY_LOOKUP_LIMIT } from '../rate-limits';
import type { MerchantInput, MerchantView } from '../schema-merchants';
import {
  conflictingKids,
  fetchMerchantKeys,
  hasDuplicateKids,
  isValid,
  type MerchantJwk,
  planKeys,
  readMerchantKey,
} from '../sellers/merchant-keys';
import { changeMerchant, findMerchant, type Merchant } from '../store/merchants';

/**
 * Returns the merchant settings of the user's own agent, or the defaults.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents), `gone`
 */
export async function getMerchant({ ctx, input }: Call<{ slug: string }>): Promise<MerchantView> {
  const seller = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = requireRole(seller, await findAgent(input.slug), 'owner');
  return toMerchantView((await findMerchant(agent.id)) ?? defaultMerchant(agent, ctx.now), ctx.now);
}

/**
 * Sets the signer of carts for the user's own agent, the issuer, and the keys, which are pinned. Issuer and keys
 * default to those of the card's host. Omitted keys stay valid for `overlapHours`.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents), `gone`;
 *   `invalid_request` for invalid keys; `url_refused`, `agent_unreachable`, `agent_timeout` while fetching them
 */
export async function setMerchant({ ctx, input }: Call<MerchantInput & { slug: string }>): Promise<MerchantView> {
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

/** The data against which the carts of a listing are verified. */
export interface CartSigner {
  issuer: string;
  /** The required `sub` if Parley signs; null if the merchant signs. */
  subject: string | null;
  keys: MerchantJwk[];
}

/** Returns the issuer and the valid pinned keys for the carts of a listing. */
export async function findCartSigner(agent: AgentRecord, now: Date): Promise<CartSigner> {
  const known = await findMerchant(agent.id);
  if (known?.signing === 'platform') return platformSigner(agent, now);
  const { issuer, keys } = known ?? defaultMerchant(agent, now);
  return { issuer, subject: null, keys: keys.filter((key) => isValid(key, now)).map(({ jwk }) => jwk) };
}

/**
 * Returns the merchant record of a listing whose owner has registered none: the issuer is the host of its card, with
 * the keys at the host's well-known URL. For an agent that connects to Parley, the issuer is its URL on Parley, and it
 * has no keys until its owner registers them.
 */
function defaultMerchant(agent: Pick<AgentRecord, 'id' | 'slug' | 'url'>, now: Date): Merchant {
  const { issuer, jwksUrl } =
    isHubUrl(agent.url) || isBuiltInUrl(agent.url)
      ? { issuer: `${env().APP_URL}/agents/${agent.slug}`, jwksUrl: null }
      : hostOf(agent.url);
  return { agentId: agent.id, signing: 'own', issuer, jwksUrl, keys: [], createdAt: now, updatedAt: now };
}

function hostOf(url: string): Pick<Merchant, 'issuer' | 'jwksUrl'> {
  const { origin } = new URL(url);
  return { issuer: origin, jwksUrl: `${origin}/.well-known/jwks.json` };
}

async function platformSigner(agent: AgentRecord, now: Date): Promise<CartSigner> {
  const { keys } = await listJwks(now);
  const paymentKeys = keys.flatMap((key) => (key.kty === 'EC' && key.kid.startsWith('ap2-') ? [key] : []));
  return {
    issuer: env().APP_URL,
    subject: agent.id,
    keys: paymentKeys.map(({ kty, crv, kid, x, y }) => ({ kty, crv, kid, x, y })),
  };
}

/** Lookups in progress, by agent. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Fetches and pins a listing's keys for a cart with an unpinned key id. Concurrent calls share one fetch. The first use
 * requires that the card declares payments. If the fetch fails or is rate-limited, the pinned keys stay valid.
 */
export async function refreshCartSigner(agent: AgentRecord, now: Date): Promise<void> {
  const lookup = inFlight.get(agent.id) ?? refresh(agent, now).finally(() => inFlight.delete(agent.id));
  inFlight.set(agent.id, lookup);
  await lookup;
}

async function refresh(agent: AgentRecord, now: Date): Promise<void> {
  const pinned = await findMerchant(agent.id);
  const { signing, jwksUrl } = pinned ?? defaultMerchant(agent, now);
  if (signing !== 'own' || jwksUrl === null || !(pinned || agent.badges.includes('payments'))) return;
  try {
    await consume(KEY_LOOKUP_LIMIT, agent.id, now);
    const keys = await fetchMerchantKeys(jwksUrl, AbortSignal.timeout(JWKS_TIMEOUT_MS));
    await changeMerchant(agent.id, (known) => {
      const base = known ?? defaultMerchant(agent, now);
      // A concurrent change by the owner takes precedence.
      if (base.jwksUrl !== jwksUrl) return { merchant: base };
      const overlapMs = KEY_OVERLAP_HOURS * HOUR_MS;
      return { merchant: { ...base, keys: planKeys(base.keys, keys, { now, overlapMs }), updatedAt: now } };
    });
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    log.info('merchant.keys_unreachable', { agentId: agent.id, ...errorFields(error) });
  }
}
