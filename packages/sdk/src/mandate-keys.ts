import type { JWK } from 'jose';
import { type Fetch, requestJson } from './request.js';

/** As long as Parley says that its key set may be kept. */
const KEPT_MS = 300_000;

/** The keys by which Parley signs mandates; its set has others too, which sign no mandate. */
export function createMandateKeys({
  parley,
  fetch,
  now,
}: {
  parley: string;
  fetch: Fetch;
  now: () => number;
}): () => Promise<JWK[]> {
  let kept: { keys: Promise<JWK[]>; until: number } | null = null;
  return function mandateKeys() {
    if (kept && now() < kept.until) return kept.keys;
    const keys = fetchKeys(fetch, parley);
    const mine = { keys, until: now() + KEPT_MS };
    kept = mine;
    keys.catch(() => {
      if (kept === mine) kept = null;
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
