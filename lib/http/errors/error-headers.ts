import type { ParleyError } from '../../platform/errors';
import { DPOP_ALGORITHMS } from '../../protocol/oauth/requests';
import { metadataUrlOf } from '../request';

/**
 * Returns the headers `Retry-After` (RFC 9110 §10.2.3), the limit that was reached
 * (draft-ietf-httpapi-ratelimit-headers-10), and the nonce for a new DPoP proof (RFC 9449 §8).
 */
export function retryHeaders({ retryAfter, limit, data }: ParleyError): Record<string, string> {
  if (typeof data?.nonce === 'string') return { 'dpop-nonce': data.nonce };
  if (retryAfter === undefined) return {};
  const seconds = String(Math.ceil(retryAfter));
  if (!limit) return { 'retry-after': seconds };
  const { name, quota, window, unit } = limit;
  const windowParameter = window === undefined ? '' : `;w=${window}`;
  return {
    'retry-after': seconds,
    'ratelimit-policy': `"${name}";q=${quota}${windowParameter};qu="${unit}"`,
    ratelimit: `"${name}";r=0;t=${seconds}`,
  };
}

/** The challenge of endpoints at which an app authenticates with its client ID and secret (RFC 7617). */
export const BASIC_CHALLENGE = 'Basic realm="parley", charset="UTF-8"';

/**
 * Returns the header `WWW-Authenticate` of an error with this status: for 401, and for a token that lacks a scope (RFC
 * 6750 §3.1). `resource` is the called URL if it accepts bearer tokens.
 */
export function challengeHeaders(error: ParleyError, status: number, resource?: string): Record<string, string> {
  if (status !== 401 && error.code !== 'insufficient_scope') return {};
  return { 'www-authenticate': challengeOf(error, resource) };
}

/**
 * Returns a challenge: `DPoP` (RFC 9449 §7.1) for an invalid proof or a missing nonce, `Basic` for an app's secret,
 * otherwise `Bearer` (RFC 6750 §3), without `error` if no token was sent. It contains the metadata URL of the called
 * resource (RFC 9728 §5.1), whether or not the resource exists.
 */
function challengeOf(error: ParleyError, resource?: string): string {
  if (error.code === 'invalid_client') return BASIC_CHALLENGE;
  const metadata = resource === undefined ? '' : `, resource_metadata="${metadataUrlOf(resource)}"`;
  if (error.code === 'invalid_dpop_proof' || error.code === 'use_dpop_nonce') {
    return `DPoP realm="parley", error="${error.code}", algs="${DPOP_ALGORITHMS.join(' ')}"${metadata}`;
  }
  const realm = 'Bearer realm="parley"';
  const scope = typeof error.data?.scope === 'string' ? `, scope="${error.data.scope}"` : '';
  if (error.code === 'unauthenticated') return `${realm}${scope}${metadata}`;
  return `${realm}, error="${error.code}"${scope}${metadata}`;
}
