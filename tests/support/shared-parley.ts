import { setRootSecret } from '@/lib/platform/crypto';
import { adoptDatabase } from './database';
import type { Parley } from './parley';
import { setting } from './settings';
import { query } from './sql';

/** What a test file knows of the Parley that it shares. */
export type SharedParley = Pick<Parley, 'url' | 'databaseUrl' | 'dataDir'>;

/**
 * The Parley of this worker, for files that need no environment, restart, output or second node of their own. All its
 * files use it, one after the other, so nobody stops it. Agents of earlier files are private and their URLs are free:
 * ports repeat. Attempts that were counted by address are forgotten.
 */
export async function sharedParley(): Promise<SharedParley> {
  const response = await fetch(`${setting('parleysUrl')}/${process.env.VITEST_POOL_ID}`);
  if (!response.ok) throw new Error(await response.text());
  const { secrets, ...parley } = (await response.json()) as SharedParley & { secrets: Record<string, string> };
  Object.assign(process.env, secrets);
  setRootSecret(secrets.KEY_ENCRYPTION_KEY ?? '');
  adoptDatabase(parley.databaseUrl);
  await query('test-clear-search', 'DELETE FROM agent_search');
  await query('test-retire-agents', `UPDATE agent SET visibility = 'private', url = 'urn:parley:' || id`);
  await query('test-forget-attempts', 'DELETE FROM limit_attempt');
  return parley;
}
