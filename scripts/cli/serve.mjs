import { existsSync } from 'node:fs';
import { CliError } from '../cli-output.mjs';

/** @type {import('./command.mjs').Command} */
export const serve = {
  summary: 'runs a node until it receives SIGTERM',
  usage: '',
  help: `
Serves at HOST:PORT with the database of DATABASE_URL. It applies no migrations: run parley migrate first. Until the
schema has all of them, /readyz responds with 503 and names what is missing. DATABASE_URL, NEXTAUTH_SECRET and
KEY_ENCRYPTION_KEY are required. At SIGTERM the node drains for up to SHUTDOWN_DELAY_SECONDS + DRAIN_SECONDS + 20 s.`,
  options: {},
  most: 0,
  async run() {
    if (process.env.DEMO === '1' && !existsSync('dist/demo.mjs')) {
      throw new CliError(
        'DEMO: found 1, but this archive has no demo agents; unset it, or run npm start in the repository',
      );
    }
    await import('../serve.mjs');
    return null;
  },
};
