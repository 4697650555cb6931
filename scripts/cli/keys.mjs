import { checkEnvironment } from '../environment.mjs';
import { bundleOf } from '../program.mjs';
import { databaseUrl } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const keys = {
  summary: 'lists, rotates and removes signing keys; encrypts with a new KEY_ENCRYPTION_KEY',
  usage: '\nrotate token|card\nremove KID\nreencrypt',
  help: `
Without arguments, prints each key and what it does. rotate adds a key that takes over in ten minutes. remove takes a
key away at once, with all that it signed. reencrypt encrypts everything in the database with KEY_ENCRYPTION_KEY that was
encrypted with KEY_DECRYPTION_KEY; it may be killed and repeated. All of it works while nodes are running.`,
  options: {},
  most: 2,
  async run({ args }) {
    await databaseUrl();
    await checkEnvironment();
    const { runKeys } = await import(bundleOf('keys'));
    await runKeys(args, 'parley keys');
  },
};
