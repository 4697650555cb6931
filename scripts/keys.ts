import { listSigningKeys, removeSigningKey, rotateKeys } from '@/lib/tokens';
import { CliError } from './cli-output.mjs';

const usage = `Expected one of:
  npm run keys                     what each key does
  npm run keys rotate token|card   adds a key that takes over in ten minutes
  npm run keys remove <kid>        takes a key away at once, with all that it signed`;

/** Runs one signing-key command; the database URL and the secrets must be in the environment. */
export async function runKeys([command, name]: string[]): Promise<void> {
  const now = new Date();
  if (command === 'rotate') await rotate(name, now);
  else if (command === 'remove') await remove(name, now);
  else if (command !== undefined) throw new CliError(usage);
  for (const { kid, state } of await listSigningKeys(now)) console.log(`${kid}  ${state}`);
}

async function rotate(purpose: string | undefined, now: Date): Promise<void> {
  if (purpose !== 'token' && purpose !== 'card') throw new CliError(usage);
  await rotateKeys({ now, purpose });
}

async function remove(kid: string | undefined, now: Date): Promise<void> {
  if (kid === undefined) throw new CliError(usage);
  const known = await listSigningKeys(now);
  if (!known.some((key) => key.kid === kid))
    throw new CliError(`there is no signing key ${kid}; npm run keys lists them`);
  await removeSigningKey({ kid, now });
}
