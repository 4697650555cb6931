import type { Spaced } from './languages';

/** Minimum characters of a stem; three only before short endings. */
const MIN_STEM_LENGTH = 4;
const MIN_SHORT_STEM_LENGTH = 3;
const SHORT_ENDING_LENGTH = 2;

// Endings of plurals, cases, genders and verb forms, folded. Two words with one stem are forms of one word.
const endings: Record<Spaced, string> = {
  de: `e en n er ern em es s t et st est te ten tet test ete eten end ende enden ender endes in innen nen se sen`,
  fr: `s e es x er ez ons ent ant ais ait aient ai a as ee ees era erai rait rais ir is it isse issez issons i ie ies re
    r l ux le les lle lles ne nes sse`,
  es: `s es a o as os ar er ir an en amos emos imos ado ada ados adas ido ida idos idas ando iendo e ame eme arme arlo
    arla arse irse irme erme iendome aba are ara aran z ces cion ciones`,
  it: `i e a o are ere ire ato ata ati ate ito ita iti ite uto uta uti ute ando endo iamo ano ono armi arlo arla arsi ermi
    irmi irlo erlo erla he hi zione zioni ia ie io`,
  pt: `s a o as os e es ar er ir am em amos emos imos ado ada ados adas ido ida idos idas ando endo indo ei ou ao oes
    aes l is ais eis m ns r res z zes`,
  nl: `en e n t d te de ten den er ers s je jes end ende eren st ste`,
};

const endingsOf = new Map(
  Object.entries(endings).map(([language, list]) => [
    language as Spaced,
    list.split(/\s+/).sort((a, b) => a.length - b.length),
  ]),
);

/** The possible stems of a folded word, the longest (the word itself) first. */
export function stemsOf(word: string, language: Spaced): string[] {
  const stems = [word];
  for (const ending of endingsOf.get(language) ?? []) {
    const length = word.length - ending.length;
    const min = ending.length <= SHORT_ENDING_LENGTH ? MIN_SHORT_STEM_LENGTH : MIN_STEM_LENGTH;
    if (length >= min && word.endsWith(ending)) stems.push(word.slice(0, length));
  }
  return language === 'nl' ? [...new Set(stems.flatMap((stem) => [stem, closedSyllable(stem)]))] : stems;
}

/** A key that words with a common stem share, with few collisions. */
export function familyOf(word: string, language: Spaced): string {
  const start = language === 'nl' ? word.slice(0, MIN_STEM_LENGTH).replace(/([aeou])\1/, '$1') : word;
  return start.slice(0, MIN_SHORT_STEM_LENGTH);
}

/** Dutch writes boom and bomen, bed and bedden, brief and brieven, huis and huizen. */
function closedSyllable(stem: string): string {
  return stem
    .replace(/([bcdfgklmnprst])\1$/, '$1')
    .replace(/v$/, 'f')
    .replace(/z$/, 's')
    .replace(/([aeou])\1(?=[^aeiou]$)/, '$1');
}

/** Other spellings of a folded word to look up: without ge- of participles or an inner -zu-, and ue for ü. */
export function variantsOf(word: string, language: Spaced): string[] {
  if (language !== 'de' && language !== 'nl') return [word];
  const variants = [word];
  const participle = /^(.{0,4}?)ge(.{3,}(?:t|en|d))$/.exec(word);
  if (participle) variants.push(`${participle[1]}${participle[2]}`);
  if (language === 'nl') return variants;
  const infinitive =
    /^(ab|an|auf|aus|bei|durch|ein|her|hin|los|mit|nach|um|vor|weg|zu|zurecht|zuruck|zusammen)zu(.{4,}n)$/;
  const separated = infinitive.exec(word);
  if (separated) variants.push(`${separated[1]}${separated[2]}`);
  if (/[aou]e/.test(word)) variants.push(word.replace(/([aou])e/g, '$1'));
  return variants;
}
