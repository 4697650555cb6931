import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

const NAMES = ['NEXTAUTH_SECRET', 'KEY_ENCRYPTION_KEY'];

/**
 * Loads the secrets of `DATA_DIR/secrets.env` into the environment; variables that are already set take precedence. A
 * secret missing from both is generated (256 random bits) and stored in the file, which only its owner can read.
 *
 * @param {{ dataDir: string, environment: Record<string, string | undefined> }} options
 * @returns {void}
 */
export function loadSecrets({ dataDir, environment }) {
  const file = path.join(dataDir, 'secrets.env');
  const stored = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const missing = NAMES.filter((name) => !stored[name] && !environment[name]);
  for (const name of missing) stored[name] = randomBytes(32).toString('base64url');
  if (missing.length > 0) save(file, stored);
  if (existsSync(file)) chmodSync(file, 0o600);
  for (const name of [...NAMES, 'KEY_DECRYPTION_KEY']) environment[name] ||= stored[name] ?? '';
}

/** Writes a temporary file and renames it: a truncated file would lose the key that encrypts the database. */
function save(file, secrets) {
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
