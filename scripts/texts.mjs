import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { neededTexts } from './texts/needed.mjs';
import { pseudo } from './texts/pseudo.mjs';

const FROM = 'components/texts/en';
const TO = 'lib/generated/texts/en-XB';

/**
 * Writes `lib/generated/texts/needed.ts`: which texts each page hands to the browser. The current folder is the repository.
 *
 * @returns {void}
 */
export function writeNeededTexts() {
  mkdirSync('lib/generated/texts', { recursive: true });
  const needed = JSON.stringify(neededTexts(), null, 1);
  writeFileSync('lib/generated/texts/needed.ts', `export const needed = ${needed} as const;\n`);
}

/**
 * Writes the pseudo-language `en-XB` from the English texts, file by file. The current folder is the repository.
 *
 * @returns {void}
 * @throws when a text is no ICU message: the file, the key and what is wrong with it
 */
export function writePseudoTexts() {
  mkdirSync(TO, { recursive: true });
  for (const name of readdirSync(FROM).filter((file) => file.endsWith('.json'))) {
    const texts = JSON.parse(readFileSync(`${FROM}/${name}`, 'utf8'));
    writeFileSync(`${TO}/${name}`, `${JSON.stringify(changeAll(texts, name), null, 1)}\n`);
  }
}

function changeAll(texts, place) {
  if (typeof texts !== 'string') {
    return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, changeAll(text, `${place} ${key}`)]));
  }
  try {
    return pseudo(texts);
  } catch (error) {
    throw new Error(`components/texts/en/${place}: ${JSON.stringify(texts)} is no ICU message: ${error.message}`);
  }
}
