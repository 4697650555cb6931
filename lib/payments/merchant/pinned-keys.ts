import type { AgentRecord } from '../../catalog';
import { env } from '../../platform/env';
import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { listJwks } from '../../tokens';
import { changeMerchant, findMerchant, type Merchant } from '../store/merchants';
import { defaultMerchant } from './default-merchant';
import { fetchMerchantKeys } from './fetch-keys';
import { planKeys } from './plan-keys';
import type { MerchantJwk } from './read-keys';

/** Keys of a set are asked for again after this long at the earliest, when a cart names one that is not known. */
const pauseMs = 30_000;
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
  return { issuer: merchant.issuer, subject: null, keys: liveKeys(merchant, now) };
}

/**
 * For a cart that names a key which is not pinned: asks the address of the keys, and pins what is new there; at first use that
 * is the card's host, where the card says that the agent takes payments. False when there is nothing new. When the address
 * fails, those that are pinned count on.
 */
export async function refreshCartSigner(
  agent: AgentRecord,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<boolean> {
  const known = await findMerchant(agent.id);
  const merchant = known ?? defaultMerchant(agent, now);
  if (known ? now.getTime() - known.updatedAt.getTime() < pauseMs : !agent.badges.includes('payments')) return false;
  return merchant.signing === 'own' && (await refresh(agent, merchant, { now, signal }));
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

async function refresh(
  agent: AgentRecord,
  merchant: Merchant,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<boolean> {
  if (merchant.jwksUrl === null) return false;
  try {
    const keys = await fetchMerchantKeys(merchant.jwksUrl, signal);
    await changeMerchant(agent.id, (known) => {
      const base = known ?? merchant;
      // The owner may have changed it meanwhile: what they said counts.
      if (base.jwksUrl !== merchant.jwksUrl) return { merchant: base };
      return { merchant: { ...base, keys: planKeys(base.keys, keys, { now, overlapMs }), updatedAt: now } };
    });
    return true;
  } catch (error) {
    if (!asParleyError(error)) throw error;
    log.info('merchant.keys_unreachable', { agentId: agent.id, ...errorFields(error) });
    return false;
  }
}

function liveKeys({ keys }: Merchant, now: Date): MerchantJwk[] {
  return keys.filter(({ retiresAt }) => retiresAt === null || retiresAt > now).map(({ jwk }) => jwk);
}
