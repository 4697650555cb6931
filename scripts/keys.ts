import { listSigningKeys, removeSigningKey, rotateKeys } from '@/lib/tokens';
import { CliError } from './cli-output.mjs';

const usageOf = (program: string): string => `Expected one of:
  ${program}                     what each key does
  ${program} rotate token|card   adds a key that takes over in ten minutes
  ${program} remove <kid>        takes a key away at once, with all that it signed`;

/**
 * Runs one signing-key command; the database URL and the secrets must be in the environment. `program` is how users call
 * it, for messages.
 */
export async function runKeys([command, name]: string[], program = 'npm run keys'): Promise<void> {
  const now = new Date();
  if (command === 'rotate' && (name === 'token' || name === 'card')) await rotateKeys({ now, purpose: name });
  else if (command === 'remove' && name !== undefined) await remove(name, { now, program });
  else if (command !== undefined) throw new CliError(usageOf(program));
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
