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

/**
 * Who signs the carts of a listing, and by which keys. Keys of the card's host are pinned at first use; those of an address are
 * asked for again when a cart names one, `kid`, that is not among them. When that fails, those that are pinned count on.
 */
export async function findCartSigner(
  agent: AgentRecord,
  { kid, now, signal }: { kid: string | null; now: Date; signal: AbortSignal },
): Promise<CartSigner> {
  const known = await findMerchant(agent.id);
  if (known?.signing === 'platform') return platformSigner(agent, now);
  const merchant = known ?? defaultMerchant(agent, now);
  const mayPin = known !== null || agent.badges.includes('payments');
  const isKnown = kid === null || liveKeys(merchant, now).some((key) => key.kid === kid);
  const mayAsk = !known || now.getTime() - known.updatedAt.getTime() >= pauseMs;
  const refreshed = mayPin && !isKnown && mayAsk ? await refresh(agent, merchant, { now, signal }) : merchant;
  return { issuer: refreshed.issuer, subject: null, keys: liveKeys(refreshed, now) };
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
): Promise<Merchant> {
  if (merchant.jwksUrl === null) return merchant;
  try {
    const keys = await fetchMerchantKeys(merchant.jwksUrl, signal);
    return await changeMerchant(agent.id, (known) => {
      const base = known ?? merchant;
      // The owner may have changed it meanwhile: what they said counts.
      if (base.jwksUrl !== merchant.jwksUrl) return { merchant: base };
      return { merchant: { ...base, keys: planKeys(base.keys, keys, { now, overlapMs }), updatedAt: now } };
    });
  } catch (error) {
    if (!asParleyError(error)) throw error;
    log.info('merchant.keys_unreachable', { agentId: agent.id, ...errorFields(error) });
    return merchant;
  }
}

function liveKeys({ keys }: Merchant, now: Date): MerchantJwk[] {
  return keys.filter(({ retiresAt }) => retiresAt === null || retiresAt > now).map(({ jwk }) => jwk);
}
