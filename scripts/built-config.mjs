import { readFileSync } from 'node:fs';
import { ROOT } from './program.mjs';

/**
 * Makes Next use the configuration of its build, because loading next.config.mjs takes time, and its plugins, which
 * only a build needs, are not part of the archive.
 *
 * @returns {void}
 */
export function passBuiltConfig() {
  const { config } = JSON.parse(readFileSync(`${ROOT}.next/required-server-files.json`, 'utf8'));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, outputFileTracingRoot: ROOT });
}
