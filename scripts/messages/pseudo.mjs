import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';

const PLAIN = 'aceginorsuyzACEGINORSUYZ';
const ACCENTED = 'áçéğíñóŕśúýźÁÇÉĞÍÑÓŔŚÚÝŹ';

/**
 * Converts an English message to the pseudo-locale: accented, to reveal untranslated text, in brackets, to reveal
 * truncation, and about 40 % longer, as German or Finnish would be. Arguments, plurals and tags are unchanged.
 *
 * @param {string} text an ICU message
 * @returns {string} an ICU message with the same arguments
 * @throws {SyntaxError} if the text is not an ICU message
 */
export function pseudo(text) {
  return `⟦${printAST(changeAll(parse(text)))}⟧`;
}

function changeAll(elements) {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: stretch(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: changeAll(element.children) };
    if (!element.options) return element;
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: changeAll(option.value) },
    ]);
    return { ...element, options: Object.fromEntries(options) };
  });
}

/** Accents letters, and doubles vowels and n. */
function stretch(value) {
  const accented = value.replace(/[A-Za-z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);
  return accented.replace(/[áéíñóúýÁÉÍÓÚ]/g, '$&$&');
}
