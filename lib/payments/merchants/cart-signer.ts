import { type AgentRecord, isBuiltInUrl, isHubUrl } from '../../catalog';
import { consume } from '../../limits';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { HOUR_MS } from '../../platform/time';
import { listJwks } from '../../tokens';
import { JWKS_TIMEOUT_MS, KEY_OVERLAP_HOURS } from '../limits';
import { KEY_LOOKUP_LIMIT } from '../rate-limits';
import { changeMerchant, findMerchant, type Merchant } from '../store/merchants';
import { fetchMerchantKeys, isValid, type MerchantJwk, planKeys } from './merchant-keys';

/** The data against which the carts of a listing are verified. */
export interface CartSigner {
  issuer: string;
  /** The required `sub` if Parley signs; null if the merchant signs. */
  subject: string | null;
  keys: MerchantJwk[];
}

/** The issuer and the valid pinned keys for the carts of a listing. */
export async function findCartSigner(agent: AgentRecord, now: Date): Promise<CartSigner> {
  const known = await findMerchant(agent.id);
  if (known?.signing === 'platform') return platformSigner(agent, now);
  const { issuer, keys } = known ?? defaultMerchant(agent, now);
  return { issuer, subject: null, keys: keys.filter((key) => isValid(key, now)).map(({ jwk }) => jwk) };
}

/**
 * The merchant record of a listing whose owner has registered none: the host of its card is the issuer, with the keys
 * at the host's well-known URL. An agent that connects to Parley has no host: its address at Parley is the issuer, and
 * it has no keys until its owner registers them.
 */
export function defaultMerchant(agent: Pick<AgentRecord, 'id' | 'slug' | 'url'>, now: Date): Merchant {
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

/** Lookups by agent. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Fetches and pins a listing's keys for a cart with an unpinned key id; concurrent calls share one fetch. On first use
 * this requires that the card declares payments. If the fetch fails or is rate-limited, the pinned keys stay valid.
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
