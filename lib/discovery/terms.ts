import { foldText, type SearchToken, tokensOf } from '../catalog';
import { MAX_QUERY_TERMS, MIN_PREFIX_LENGTH } from './limits';

/** One word of a search text. */
interface Term extends SearchToken {
  /** True for the last word, which may be incomplete, so that words with this prefix match. */
  isPrefix: boolean;
  /** Possible corrections of the word; empty unless the search is tolerant. */
  similar: string[];
}

/** A parsed search text. */
export interface Terms {
  /** The whole folded text, which is compared with names. */
  key: string;
  /** The distinct significant words in order; at least one. */
  words: Term[];
}

/** Parses a search text; null if it contains neither letters nor digits. */
export function termsOf(q: string): Terms | null {
  const all = tokensOf(q, { singles: false });
  const significant = all.filter(({ text }) => !stopWords.has(text));
  const selected = significant.length > 0 ? significant : all;
  const distinct = [...new Map(selected.map((token) => [token.text, token])).values()].slice(0, MAX_QUERY_TERMS);
  if (distinct.length === 0) return null;
  const last = all.at(-1)?.text;
  const words = distinct.map((token) => ({
    ...token,
    isPrefix: token.text === last && !token.isPair && [...token.text].length >= MIN_PREFIX_LENGTH,
    similar: [],
  }));
  return { key: foldText(q).replace(/\s+/g, ' ').trim(), words };
}

/** Lexeme prefix of a field: the name; name, skills and tags; anywhere (lib/catalog/store/search-rows.ts). */
export type SearchField = 'n:' | 's:' | '';

/**
 * Returns a tsquery for one word as written. Words contain only letters, digits and marks
 * (lib/catalog/names/folded-text.ts), so that a quoted word is one lexeme and cannot contain query syntax.
 */
export function wordQuery({ text, isPrefix }: Term, field: SearchField): string {
  return `'${field}${text}'${isPrefix ? ':*' : ''}`;
}

/** Returns a tsquery for any of these words as written. */
export function anyQuery(words: string[], field: SearchField): string {
  return words.map((word) => `'${field}${word}'`).join(' | ');
}

/** Returns a tsquery for all words in one field. */
export function everyWordQuery({ words }: Terms, field: SearchField): string {
  return words.map((term) => wordQuery(term, field)).join(' & ');
}

/**
 * Returns the name of the skill that contains most of the words; null if none contains any. `skills[].words` are
 * separated and enclosed by spaces.
 */
export function bestSkill({ words }: Terms, skills: { name: string; words: string }[]): string | null {
  let best: { name: string; count: number } | null = null;
  for (const skill of skills) {
    const count = words.filter((term) => containsTerm(skill.words, term)).length;
    if (count > (best?.count ?? 0)) best = { name: skill.name, count };
  }
  return best?.name ?? null;
}

function containsTerm(words: string, { text, isPrefix, similar }: Term): boolean {
  return words.includes(isPrefix ? ` ${text}` : ` ${text} `) || similar.some((word) => words.includes(` ${word} `));
}

/** Returns true for a word that is long enough to resemble few others. */
export function mayBeMisspelled({ text, isPair }: SearchToken): boolean {
  return !isPair && [...text].length >= MIN_TOLERANT_LENGTH;
}

/** Minimum characters of a word that is matched tolerantly. Shorter words resemble too many others. */
const MIN_TOLERANT_LENGTH = 3;

/**
 * Stop words, folded by `foldText`: English, German, French, Spanish, Italian, Portuguese, Dutch. They are ignored
 * unless a query has no other word.
 */
const stopWords: ReadonlySet<string> = new Set(
  `a about agent agents all am an and any anyone anything are as ask at be bot by can could do does find for from get
  give good have help helps her him his how i if in is it its like look looking make makes me my need needs of on one or
  our please she should show some somebody someone something tell that the their them there these they thing this those
  to try us use want was we what when where which who will with would you your
  aber agenten alle als am an auf auch aus bei bitte brauche brauchen das dass dem den der des die dir du ein eine einem
  einen einer eines er es etwas fur gib gibt habe hat hilf hilft ich ihr im ist jemand kann kannst man mein meine mich
  mir mit moglich nach oder sich sie sind soll suche uber um und uns vom von was welche welcher wer wie will wir wo zu
  zum zur
  au aux avec besoin ce cette ces cherche dans de des du elle en est et faire il ils je la le les leur lui mais mes moi
  mon ne nous ou par pas peut peux pour puisse quelque quelqu que quel quelle qui sa se ses si son sur te toi tu un une
  veux vous voudrais
  al algo alguien ayuda ayudar busca busco como con cual del donde el ella ellos en es esta este esto hacer hay la las lo
  los me mi mis necesito nos o para pero por puede pueda puedo que quien quiero se sin sobre su sus te tu un una unas
  unos y yo
  ai alla che chi ci cosa da dal del della di dove e gli ho il io la le lo mi mio nei nel noi per piu possa puo qualcosa
  qualcuno quale se si sono su sul trova tu un una uno voglio vorrei
  ao as com da das de do dos e ela ele em eu fazer isso mas me meu minha na nas no nos o os ou para pela pelo por posso
  preciso que quem quero se sem seu sua uma um
  aan als bij dat de die dit een en er het hoe ik iemand iets in is kan kun maar me met mij mijn naar niet nodig of om op
  te tot uit van voor wat wie wij zijn zoek`
    .trim()
    .split(/\s+/),
);
