import { setRootSecret } from '@/lib/platform/secrets/crypto';
import { adoptDatabase } from './database';
import type { Parley } from './parley';
import { setting } from './settings';
import { query } from './sql';

/** The Parley that a test file shares. */
export interface SharedParley extends Pick<Parley, 'url' | 'databaseUrl' | 'dataDir'> {
  /** Its output since the file asked for it. */
  output(): Promise<string>;
}

/** The response of `vitest-parleys.ts`. */
interface Shared extends Pick<Parley, 'url' | 'databaseUrl' | 'dataDir'> {
  secrets: Record<string, string>;
  /** Length of its output until now. */
  printed: number;
}

/**
 * The Parley of this worker, for files that need no environment, restart or second node of their own. All its
 * files use it, one after the other, so no file may stop it. Agents of earlier files are private and their URLs are
 * free: ports repeat. Attempts counted by address are reset.
 */
export async function sharedParley(): Promise<SharedParley> {
  const address = `${setting('parleysUrl')}/${process.env.VITEST_POOL_ID}`;
  const { secrets, printed, ...parley } = JSON.parse(await read(address)) as Shared;
  Object.assign(process.env, secrets);
  setRootSecret(secrets.KEY_ENCRYPTION_KEY ?? '');
  adoptDatabase(parley.databaseUrl);
  await query('test-clear-search', 'DELETE FROM agent_search');
  await query('test-retire-agents', `UPDATE agent SET visibility = 'private', url = 'urn:parley:' || id`);
  await query('test-forget-attempts', 'DELETE FROM limit_attempt');
  return { ...parley, output: () => read(`${address}?from=${printed}`) };
}

async function read(address: string): Promise<string> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
