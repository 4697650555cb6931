import { countSealed, findNodesWithOtherKeys, reencryptAll } from '@/lib/platform/secrets/stored-secrets';
import { listSigningKeys, removeSigningKey, rotateKeys } from '@/lib/tokens';
import { CliError } from './cli-output.mjs';

const usageOf = (program: string): string => `Expected one of:
  ${program}                     what each key does
  ${program} rotate token|card   adds a key that takes over in ten minutes
  ${program} remove <kid>        takes a key away at once, with all that it signed
  ${program} reencrypt           encrypts everything with KEY_ENCRYPTION_KEY that KEY_DECRYPTION_KEY decrypts`;

/**
 * Runs one signing-key command. The database URL and the secrets must be in the environment. `program` is how users
 * call it, for messages.
 */
export async function runKeys([command, name]: string[], program = 'npm run keys'): Promise<void> {
  const now = new Date();
  if (command === 'reencrypt' && name === undefined) return reencrypt(program);
  if (command === 'rotate' && (name === 'token' || name === 'card')) await rotateKeys({ now, purpose: name });
  else if (command === 'remove' && name !== undefined) await remove(name, { now, program });
  else if (command !== undefined) throw Object.assign(new CliError(usageOf(program)), { exitCode: 2 });
  await printKeys(now);
}

async function printKeys(now: Date): Promise<void> {
  for (const { kid, state } of await listSigningKeys(now)) console.log(`${kid}  ${state}`);
}

async function remove(kid: string, { now, program }: { now: Date; program: string }): Promise<void> {
  const known = await listSigningKeys(now);
  if (!known.some((key) => key.kid === kid))
    throw new CliError(`there is no signing key ${kid}; ${program} lists them`);
  await removeSigningKey({ kid, now });
}

/** Refuses to start if a node would write with another key, or if a row cannot be read. */
async function reencrypt(program: string): Promise<void> {
  const others = await findNodesWithOtherKeys('encrypt');
  if (others.length > 0) {
    throw new CliError(
      `these running nodes encrypt with another key: ${others.join(', ')}; restart them with this ` +
        `KEY_ENCRYPTION_KEY, and the previous one as KEY_DECRYPTION_KEY, then run ${program} reencrypt again. Nothing was changed`,
    );
  }
  await requireReadable();
  const written = await reencryptAll();
  const counts = await requireReadable();
  for (const { table, rows } of counts)
    console.log(`${table}: ${rows} rows, ${written.get(table) ?? 0} of them encrypted again`);
  const outdated = counts.reduce((sum, count) => sum + count.outdated, 0);
  if (outdated > 0) throw new CliError(`${outdated} rows changed meanwhile; run ${program} reencrypt again`);
  console.log(
    'KEY_ENCRYPTION_KEY decrypts every row; remove KEY_DECRYPTION_KEY from all nodes and restart them one after another',
  );
}

async function requireReadable(): ReturnType<typeof countSealed> {
  const counts = await countSealed();
  const lines = counts
    .filter(({ unreadable }) => unreadable.length > 0)
    .map(({ table, rows, unreadable }) => `${table}: ${unreadable.join(', ')} (of ${rows} rows)`);
  if (lines.length === 0) return counts;
  throw new CliError(
    `found rows that neither KEY_ENCRYPTION_KEY nor KEY_DECRYPTION_KEY decrypts; expected KEY_DECRYPTION_KEY to be the ` +
      `value that they were encrypted with. Nothing was changed. The first of them:\n${lines.join('\n')}`,
  );
}
