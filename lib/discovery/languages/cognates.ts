import { isEnglishWord, type Spaced } from './word-lists';

const MIN_LENGTH = 5;

// Endings of common origin: presentación, présentation and presentatie are "presentation".
const endings: Record<Spaced, [RegExp, string[]][]> = {
  de: [
    [/ierungen$|ierung$|ieren$|iert$/, ['ation', 'ing', 'e', '']],
    [/itaten$|itat$/, ['ity']],
    [/ischen$|ischer$|isches$|ische$|isch$/, ['ic', 'ical']],
    [/ologie$/, ['ology']],
    [/ie$/, ['y', '']],
    [/ik(?:en)?$/, ['ics', 'ic']],
    [/ell(?:e[nrs]?)?$/, ['al']],
    [/iv(?:e[nrs]?)?$/, ['ive']],
    [/(?:en|er|es|e|n|s)$/, ['', 'e']],
  ],
  fr: [
    [/e?ment$/, ['ly', 'ally', 'ment']],
    [/iques?$/, ['ic', 'ical', 'ics']],
    [/ites?$/, ['ity', 'ite']],
    [/eurs?$|euses?$/, ['or', 'er']],
    [/ifs?$|ives?$/, ['ive']],
    [/el(?:le)?s?$/, ['al']],
    [/ies?$/, ['y']],
    [/er$|ees?$|es?$/, ['e', '', 'ate']],
    [/s$/, ['']],
  ],
  es: [
    [/mente$/, ['ly', 'ally']],
    [/cion(?:es)?$/, ['tion']],
    [/sion(?:es)?$/, ['sion']],
    [/idad(?:es)?$/, ['ity']],
    [/ic[oa]s?$/, ['ic', 'ical', 'ics']],
    [/[oa]ri[oa]s?$/, ['ory', 'ary']],
    [/iv[oa]s?$/, ['ive']],
    [/ncias?$/, ['nce', 'ncy']],
    [/[ei]ar$|ar$|ad[oa]s?$/, ['e', '', 'ate']],
    [/i?[oae]s?$|es$/, ['', 'e', 'y']],
  ],
  it: [
    [/mente$/, ['ly', 'ally']],
    [/zion[ei]$/, ['tion', 'ction', 'ption']],
    [/sion[ei]$/, ['sion']],
    [/ita$/, ['ity']],
    [/i(?:co|ca|ci|che)$/, ['ic', 'ical', 'ics']],
    [/iv[oaie]$/, ['ive']],
    [/nz[ae]$/, ['nce', 'ncy']],
    [/are$|at[oaie]$|izzare$/, ['e', '', 'ate', 'ize']],
    [/i?[oaie]$/, ['', 'e', 'y']],
  ],
  pt: [
    [/mente$/, ['ly', 'ally']],
    [/coes$|cao$/, ['tion', 'ction', 'ption']],
    [/soes$|sao$/, ['sion']],
    [/idades?$/, ['ity']],
    [/ic[oa]s?$/, ['ic', 'ical', 'ics']],
    [/[oa]ri[oa]s?$/, ['ory', 'ary']],
    [/iv[oa]s?$/, ['ive']],
    [/ncias?$/, ['nce', 'ncy']],
    [/ar$|ad[oa]s?$/, ['e', '', 'ate']],
    [/i?[oae]s?$|es$/, ['', 'e', 'y']],
  ],
  nl: [
    [/ties?$/, ['tion']],
    [/iteiten$|iteit$/, ['ity']],
    [/ische?$/, ['ic', 'ical']],
    [/ologie$/, ['ology']],
    [/ie$/, ['y', '']],
    [/ieren$|eren$|eerd?$/, ['e', '', 'ate']],
    [/ieve?$|ief$/, ['ive']],
    [/(?:en|er|e|s)$/, ['', 'e']],
  ],
};

/**
 * Returns the common English word that resembles a folded word because of their common origin; null if there is none.
 */
export function cognateOf(word: string, language: Spaced): string | null {
  if (word.length < MIN_LENGTH) return null;
  if (isEnglishWord(word)) return word;
  for (const [ending, replacements] of endings[language]) {
    if (!ending.test(word)) continue;
    const found = replacements.map((replacement) => word.replace(ending, replacement)).find(isEnglishCognate);
    if (found !== undefined) return found;
  }
  return null;
}

function isEnglishCognate(word: string): boolean {
  return word.length >= MIN_LENGTH && isEnglishWord(word);
}
