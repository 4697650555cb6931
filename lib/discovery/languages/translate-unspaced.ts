import { conceptsIn, wordKey } from './concepts';
import { emojiWord } from './emoji-words';

/** Maximum characters of a word of the table. */
const MAX_WORD_LENGTH = 8;

// Grammatical characters without content.
const particles = {
  zh: new Set(
    '的了吗呢吧啊我你您他她它们这那是在有和与或把被给对为从到个一些想要请能会可以帮找需用谁什么怎样哪里上下中做办让不也都就很该与及并其',
  ),
  ja: new Set('一人方何誰私僕達的用中上下事物時々欲'),
};

/** The result of a translation. */
export interface Gloss {
  english: string;
  /** Characters that are part of a known word. */
  known: number;
}

/**
 * An English gloss of Chinese or Japanese text by longest match; null when less than half of the content is known. Words
 * in Latin letters stay.
 */
export function translateUnspaced(text: string, language: 'zh' | 'ja'): Gloss | null {
  const characters = [...wordKey(text, language)];
  const english: string[] = [];
  let known = 0;
  let unknown = 0;
  for (let at = 0; at < characters.length; ) {
    const latin = /^[\p{Script=Latin}\p{N}+#.-]*[\p{Script=Latin}\p{N}+#]/u.exec(characters.slice(at).join(''))?.[0];
    const match = latin === undefined ? longestAt(characters, at, language) : null;
    if (match) {
      known += match.length;
      english.push(match.english);
    } else if (latin !== undefined) english.push(latin);
    else if (isContent(characters[at] ?? '', language)) unknown += 1;
    at += match?.length ?? [...(latin ?? ' ')].length;
  }
  if (english.length === 0 || known < unknown) return null;
  return { english: english.join(' '), known };
}

function longestAt(
  characters: string[],
  at: number,
  language: 'zh' | 'ja',
): { english: string; length: number } | null {
  for (let length = Math.min(MAX_WORD_LENGTH, characters.length - at); length > 0; length -= 1) {
    const word = characters.slice(at, at + length).join('');
    const english = conceptsIn(language).exact.get(word) ?? emojiWord(word, language);
    if (english !== null) return { english, length };
  }
  return null;
}

/** Hiragana outside of the words of the table is grammar, not content. */
function isContent(character: string, language: 'zh' | 'ja'): boolean {
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(character) && !particles[language].has(character);
}
