import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

const NAMES = ['NEXTAUTH_SECRET', 'KEY_ENCRYPTION_KEY'];

/**
 * Puts the secrets of `DATA_DIR/secrets.env` into the environment; what the environment holds already wins.
 * A secret that is in neither is made (256 random bits) and kept in the file, which only its owner can read.
 *
 * @param {{ dataDir: string, environment: Record<string, string | undefined> }} options
 * @returns {void}
 */
export function loadSecrets({ dataDir, environment }) {
  const file = path.join(dataDir, 'secrets.env');
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const missing = NAMES.filter((name) => !kept[name] && !environment[name]);
  for (const name of missing) kept[name] = randomBytes(32).toString('base64url');
  if (missing.length > 0) keep(file, kept);
  if (existsSync(file)) chmodSync(file, 0o600);
  for (const name of NAMES) environment[name] ||= kept[name];
}

/** Written aside and renamed: a file cut short would lose the key that the database was encrypted with. */
function keep(file, secrets) {
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
