import type { AgentRecord } from '../../catalog';
import { consume, type TokenBucketRule } from '../../limits';
import { env } from '../../platform/env';
import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import { listJwks } from '../../tokens';
import { changeMerchant, findMerchant, type Merchant } from '../store/merchants';
import { defaultMerchant } from './default-merchant';
import { fetchMerchantKeys } from './fetch-merchant-keys';
import { planKeys } from './plan-keys';
import type { MerchantJwk } from './read-merchant-key';

/** How often a listing's carts can have its keys asked for. A shop that changes its key needs one. */
const KEY_LOOKUP_LIMIT: TokenBucketRule = { name: 'key look-ups', burst: 20, perMinute: 6, onDatabaseDown: 'refuse' };
/** Asking must not hold the agent's stream for long, milliseconds. */
const fetchTimeoutMs = 5_000;
const overlapMs = 24 * 3_600_000;

/** What carts of a listing are held against. */
export interface CartSigner {
  issuer: string;
  /** What `sub` must say, where Parley signs for many. */
  subject: string | null;
  keys: MerchantJwk[];
}

/** Who signs the carts of a listing, and by which of the keys that are pinned for it. */
export async function findCartSigner(agent: AgentRecord, now: Date): Promise<CartSigner> {
  const known = await findMerchant(agent.id);
  if (known?.signing === 'platform') return platformSigner(agent, now);
  const merchant = known ?? defaultMerchant(agent, now);
  return { issuer: merchant.issuer, subject: null, keys: activeKeys(merchant, now) };
}

/**
 * For a cart that names a key which is not pinned: asks the address of the keys, once for all carts that come meanwhile, and
 * pins what is new there; at first use that is the card's host, where the card says that the agent takes payments. When the
 * address fails, or was asked too often, those that are pinned count on.
 */
export async function refreshCartSigner(agent: AgentRecord, now: Date): Promise<void> {
  const inFlight = processSingleton('merchant-key-look-ups', () => new Map<string, Promise<void>>());
  const lookup = inFlight.get(agent.id) ?? refresh(agent, now).finally(() => inFlight.delete(agent.id));
  inFlight.set(agent.id, lookup);
  await lookup;
}

async function platformSigner(agent: AgentRecord, now: Date): Promise<CartSigner> {
  const { keys } = await listJwks(now);
  const ours = keys.flatMap((key) => (key.kty === 'EC' && key.kid.startsWith('ap2-') ? [key] : []));
  return {
    issuer: env().APP_URL,
    subject: agent.id,
    keys: ours.map(({ kty, crv, kid, x, y }) => ({ kty, crv, kid, x, y })),
  };
}

async function refresh(agent: AgentRecord, now: Date): Promise<void> {
  const pinned = await findMerchant(agent.id);
  const { signing, jwksUrl } = pinned ?? defaultMerchant(agent, now);
  if (signing !== 'own' || jwksUrl === null || !(pinned || agent.badges.includes('payments'))) return;
  try {
    await consume(KEY_LOOKUP_LIMIT, agent.id, now);
    const keys = await fetchMerchantKeys(jwksUrl, AbortSignal.timeout(fetchTimeoutMs));
    await changeMerchant(agent.id, (known) => {
      const base = known ?? defaultMerchant(agent, now);
      // The owner may have changed it meanwhile: what they said counts.
      if (base.jwksUrl !== jwksUrl) return { merchant: base };
      return { merchant: { ...base, keys: planKeys(base.keys, keys, { now, overlapMs }), updatedAt: now } };
    });
  } catch (error) {
    if (!asParleyError(error)) throw error;
    log.info('merchant.keys_unreachable', { agentId: agent.id, ...errorFields(error) });
  }
}

function activeKeys({ keys }: Merchant, now: Date): MerchantJwk[] {
  return keys.filter(({ retiresAt }) => retiresAt === null || retiresAt > now).map(({ jwk }) => jwk);
}
