import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extractUsedKeys } from './messages/extract-used-keys.mjs';
import { pseudo } from './messages/pseudo.mjs';

const FROM = 'lib/texts/en';
const TO = 'lib/generated/texts/pseudo';

/**
 * Writes `lib/generated/texts/needed.ts`: the message namespaces that each page sends to the browser. The working
 * directory must be the repository.
 *
 * @returns {void}
 */
export function writeUsedKeys() {
  mkdirSync('lib/generated/texts', { recursive: true });
  const keys = JSON.stringify(extractUsedKeys(), null, 1);
  writeFileSync('lib/generated/texts/needed.ts', `export const needed = ${keys} as const;\n`);
}

/**
 * Writes the texts of the pseudo-locales from the English messages, file by file. The working directory must be the
 * repository.
 *
 * @returns {void}
 * @throws {Error} if a text is not an ICU message, with the file, the key and the reason
 */
export function writePseudoLocale() {
  mkdirSync(TO, { recursive: true });
  for (const name of readdirSync(FROM).filter((file) => file.endsWith('.json'))) {
    const texts = JSON.parse(readFileSync(`${FROM}/${name}`, 'utf8'));
    writeFileSync(`${TO}/${name}`, `${JSON.stringify(translateAll(texts, name), null, 1)}\n`);
  }
  copyFileSync(`${FROM}/index.ts`, `${TO}/index.ts`);
}

function translateAll(texts, key) {
  if (typeof texts !== 'string') {
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, translateAll(text, `${key} ${name}`)]),
    );
  }
  try {
    return pseudo(texts);
  } catch (error) {
    throw new Error(`lib/texts/en/${key}: ${JSON.stringify(texts)} is not an ICU message: ${error.message}`);
  }
}
