/** Minimum letters of a word with other forms: short words resemble too many others. */
const MIN_LENGTH = 4;
const MIN_STEM = 3;

/** Endings of English inflection, the longest first. */
const endings = ['ations', 'ation', 'ings', 'ing', 'ers', 'ies', 'ied', 'er', 'ed', 'es', 's', 'e', 'y'];
const inflections = ['', 's', 'es', 'e', 'ed', 'er', 'ers', 'ing', 'y', 'ies', 'ied', 'ation', 'ations'];

/**
 * The word and its inflected forms, such as translates and translation for translate, whether they exist or not: the
 * index of words contains words as they were written.
 */
export function formsOf(word: string): string[] {
  if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word)) return [word];
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= MIN_STEM) ?? '';
  const stem = word.slice(0, word.length - ending.length);
  const stems = new Set([
    stem,
    ...(isDoubled(stem) ? [stem.slice(0, -1)] : []),
    ...(isDoubling(stem) ? [stem + stem.at(-1)] : []),
  ]);
  const forms = [...stems].flatMap((each) => inflections.map((inflection) => each + inflection));
  return [...new Set([word, ...forms])].filter((form) => form.length >= MIN_STEM);
}

/** True if the stem ends in a doubled consonant, such as `plann` of planned. */
function isDoubled(stem: string): boolean {
  return /([bdgklmnprt])\1$/.test(stem);
}

/** True if an ending doubles the last consonant of the stem, such as that of `plan` in planned. */
function isDoubling(stem: string): boolean {
  return /[^aeiou][aeiou][bdgklmnprt]$/.test(stem);
}
