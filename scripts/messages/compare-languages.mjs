import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/**
 * Compares the texts of a language with the English ones.
 *
 * @param {object} english nested texts
 * @param {object} other the same texts in another language
 * @returns {string[]} one line per text that is missing, unknown or invalid, or has other arguments or tags
 */
export function compareTexts(english, other) {
  const [expected, found] = [flatten(english), flatten(other)];
  const missing = [...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`);
  const unknown = [...found.keys()].filter((key) => !expected.has(key)).map((key) => `${key} is not in English`);
  const different = [...found].flatMap(([key, text]) => {
    const original = expected.get(key);
    return original === undefined ? [] : compareText(key, { original, text });
  });
  return [...missing, ...unknown, ...different];
}

function compareText(key, { original, text }) {
  try {
    const [expected, found] = [partsOf(original), partsOf(text)];
    return expected === found ? [] : [`${key}: expected ${expected || 'no arguments'}, found ${found || 'none'}`];
  } catch (error) {
    return [`${key} is not an ICU message: ${error.message}`];
  }
}

/**
 * Returns the texts by their keys, joined by dots.
 *
 * @param {object} texts nested texts
 * @returns {Map<string, string>}
 */
export function flatten(texts, prefix = '', flat = new Map()) {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat.set(`${prefix}${key}`, value);
    else flatten(value, `${prefix}${key}.`, flat);
  }
  return flat;
}

/** Returns the arguments, tags and options of a message, sorted. Plural forms differ between languages. */
function partsOf(text) {
  const parts = new Set();
  const visit = (element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return;
    const options = element.type === TYPE.select ? ` ${Object.keys(element.options).sort().join('|')}` : '';
    parts.add(element.type === TYPE.tag ? `<${element.value}>` : `{${element.value}${options}}`);
    for (const child of element.children ?? []) visit(child);
    for (const option of Object.values(element.options ?? {})) option.value.forEach(visit);
  };
  parse(text).forEach(visit);
  return [...parts].sort().join(' ');
}
