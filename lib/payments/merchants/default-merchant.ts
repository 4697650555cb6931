import type { AgentRecord } from '../../catalog';
import type { Merchant } from '../store/merchants';

/**
 * How a listing sells while its owner has registered nothing: the host of its card signs, by the keys at that host's
 * well-known address.
 */
export function defaultMerchant(agent: Pick<AgentRecord, 'id' | 'url'>, now: Date): Merchant & { jwksUrl: string } {
  const { origin } = new URL(agent.url);
  const jwksUrl = `${origin}/.well-known/jwks.json`;
  return { agentId: agent.id, signing: 'own', issuer: origin, jwksUrl, keys: [], createdAt: now, updatedAt: now };
}
