// Writes lib/discovery/languages/data/emoji-words.tsv: words that the emoji keywords of CLDR translate to English. Must
// be run after an update of cldr-annotations-full.
import { readFileSync, writeFileSync } from 'node:fs';

const LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja'];
const FOLDER = 'lib/discovery/languages/data';
/**
 * Minimum number of emoji that both a word and its translation describe, and minimum share of all emoji that one of
 * them describes (Dice), unless both are the only names of an emoji.
 */
const SURE_ENOUGH = [
  { emoji: 3, dice: 0.7 },
  { emoji: 2, dice: 1 },
];

const common = new Set(readFileSync(`${FOLDER}/common-words.txt`, 'utf8').split(/\s+/));
const english = keywordsOf('en');
const concepts = conceptsByLanguage();
/** Words of names. All other keywords are associations. */
const nameWords = new Set(
  [...english.values()].flatMap(({ names }) => names.flatMap((name) => name.split(/[\s:,-]+/))),
);

const lines = LANGUAGES.flatMap((language) => {
  const translations = [...translationsTo(language)]
    .filter(([word, translation]) => word !== translation && !concepts[language].has(word))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(`${language}: ${translations.length} words`);
  return translations.map(([word, translation]) => `${language}\t${word}\t${translation}`);
});
writeFileSync(`${FOLDER}/emoji-words.tsv`, `${lines.join('\n')}\n`);

/** Returns the words that the table of concepts already translates. */
function conceptsByLanguage() {
  const [head, ...rows] = readFileSync(`${FOLDER}/concepts.tsv`, 'utf8').split('\n');
  const forms = (column) => rows.flatMap((row) => row.split('\t')[column]?.split(',') ?? []);
  return Object.fromEntries(head.split('\t').map((language, column) => [language, new Set(forms(column).map(lower))]));
}

/** Returns the keywords of each emoji, and its name. */
function keywordsOf(language) {
  const file = `node_modules/cldr-annotations-full/annotations/${language}/annotations.json`;
  const { annotations } = JSON.parse(readFileSync(file, 'utf8')).annotations;
  return new Map(
    Object.entries(annotations).map(([emoji, { default: keywords = [], tts = [] }]) => [
      emoji,
      { names: tts.map(lower), words: new Set([...keywords, ...tts].map(lower).filter(isWord)) },
    ]),
  );
}

function lower(text) {
  return text.toLowerCase().trim();
}

function isWord(text) {
  return /^(?:[\p{Script=Latin}\p{M}]{3,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{2,})$/u.test(text);
}

function translationsTo(language) {
  const theirs = keywordsOf(language);
  const counts = { english: new Map(), theirs: new Map(), both: new Map() };
  const named = new Map();
  for (const [emoji, { names, words }] of theirs) {
    const { names: englishNames = [], words: all = [] } = english.get(emoji) ?? {};
    const englishWords = [...all].filter((word) => nameWords.has(word));
    for (const word of englishWords) add(counts.english, word);
    for (const word of words) add(counts.theirs, word);
    for (const word of words) for (const other of englishWords) add(counts.both, `${word}\t${other}`);
    if (names.length === 1 && isWord(names[0]) && isWord(englishNames[0] ?? '')) named.set(names[0], englishNames[0]);
  }
  return bestOf(counts, named);
}

function add(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function bestOf(counts, named) {
  const best = new Map();
  for (const [pair, count] of counts.both) {
    const [word, translation] = pair.split('\t');
    const dice = (2 * count) / (counts.theirs.get(word) + counts.english.get(translation));
    const isSure = named.get(word) === translation || SURE_ENOUGH.some((min) => count >= min.emoji && dice >= min.dice);
    if (isSure && common.has(translation) && dice > (best.get(word)?.dice ?? 0)) best.set(word, { translation, dice });
  }
  return [...best].map(([word, { translation }]) => [word, translation]);
}
