import type { JWK } from 'jose';
import { type Fetch, requestJson } from './request.js';

/** Cache lifetime of the key set, as in Parley's `Cache-Control`. */
const KEY_CACHE_MS = 300_000;

/** Fetches the keys with which Parley signs mandates; its key set also has keys for other purposes. */
export function createMandateKeys({
  parley,
  fetch,
  now,
}: {
  parley: string;
  fetch: Fetch;
  now: () => number;
}): () => Promise<JWK[]> {
  let cached: { keys: Promise<JWK[]>; until: number } | null = null;
  return function mandateKeys() {
    if (cached && now() < cached.until) return cached.keys;
    const keys = fetchKeys(fetch, parley);
    const mine = { keys, until: now() + KEY_CACHE_MS };
    cached = mine;
    keys.catch(() => {
      if (cached === mine) cached = null;
    });
    return keys;
  };
}

async function fetchKeys(fetch: Fetch, parley: string): Promise<JWK[]> {
  const { keys } = await requestJson(fetch, `${parley}/.well-known/jwks.json`, {
    headers: { accept: 'application/json' },
  });
  return Array.isArray(keys) ? keys.filter((key: JWK) => String(key?.kid).startsWith('ap2-')) : [];
}
