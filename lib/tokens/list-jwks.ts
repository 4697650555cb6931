import type { JwkSet } from '../protocol/oauth/jwk';
import { listPublishedKeys } from './keys';

/** The public keys that verify what Parley signs, also those that will sign soon or did until lately (KEY-6). */
export async function listJwks(now: Date): Promise<JwkSet> {
  return { keys: await listPublishedKeys(now) };
}
