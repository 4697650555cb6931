import { listSigningKeys, removeSigningKey, rotateKeys } from '@/lib/tokens';
import { Refusal } from './report.mjs';

const usage = `Expected one of:
  npm run keys                     what each key does
  npm run keys rotate token|card   adds a key that takes over in ten minutes
  npm run keys remove <kid>        takes a key away at once, with all that it signed`;

/** Carries out one command about the signing keys; the database and the secrets are in the environment. */
export async function runKeys([command, name]: string[]): Promise<void> {
  const now = new Date();
  if (command === 'rotate') await rotate(name, now);
  else if (command === 'remove') await remove(name, now);
  else if (command !== undefined) throw new Refusal(usage);
  for (const { kid, state } of await listSigningKeys(now)) console.log(`${kid}  ${state}`);
}

async function rotate(purpose: string | undefined, now: Date): Promise<void> {
  if (purpose !== 'token' && purpose !== 'card') throw new Refusal(usage);
  await rotateKeys({ now, purpose });
}

async function remove(kid: string | undefined, now: Date): Promise<void> {
  if (kid === undefined) throw new Refusal(usage);
  const known = await listSigningKeys(now);
  if (!known.some((key) => key.kid === kid))
    throw new Refusal(`there is no signing key ${kid}; npm run keys lists them`);
  await removeSigningKey({ kid, now });
}
