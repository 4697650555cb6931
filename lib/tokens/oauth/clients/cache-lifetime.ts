import { MAX_CLIENT_DOCUMENT_CACHE_MS, MIN_CLIENT_DOCUMENT_CACHE_MS } from '../../limits';

/**
 * The cache lifetime of a metadata document, milliseconds, from its `Cache-Control`, `Age`, `Date` and `Expires` (RFC
 * 9111 §4.2): at least five minutes and at most a day.
 */
export function cacheLifetimeOf(headers: Record<string, string>): number {
  const control = headers['cache-control'] ?? '';
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control)?.[1];
  const fresh = maxAge === undefined ? untilExpires(headers) : (Number(maxAge) - ageOf(headers)) * 1_000;
  const wanted = /(?:^|[\s,])no-(?:store|cache)/i.test(control) ? 0 : fresh;
  return Math.min(Math.max(wanted, MIN_CLIENT_DOCUMENT_CACHE_MS), MAX_CLIENT_DOCUMENT_CACHE_MS);
}

function ageOf({ age = '' }: Record<string, string>): number {
  return /^\d{1,9}$/.test(age) ? Number(age) : 0;
}

function untilExpires({ expires = '', date = '' }: Record<string, string>): number {
  const left = Date.parse(expires) - Date.parse(date);
  return Number.isNaN(left) ? 0 : left;
}
