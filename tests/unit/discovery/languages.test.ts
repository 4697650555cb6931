import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '@/lib/catalog';
import { simplified } from '@/lib/discovery/languages/concepts';
import { toEnglish } from '@/lib/discovery/languages/to-english';
import { isCommonWord } from '@/lib/discovery/languages/word-lists';

describe('the list of common words', () => {
  it.each(['invoice', 'colour', 'color', 'organise', 'Berlin', 'kubernetes', 'hungry', 'The'])(
    'contains %s',
    (word) => {
      expect(isCommonWord(word)).toBe(true);
    },
  );

  it.each(['', 'recieve', 'Rechnung', 'und', '42', 'qwrtz'])('does not contain %j', (word) => {
    expect(isCommonWord(word)).toBe(false);
  });
});

describe('translating an English text', () => {
  it.each([
    'something to eat',
    'seo audit',
    'gdpr privacy policy',
    'die cast molds',
    'hat shop',
    'war games',
    'chat',
    'note taking',
    'on line chat',
    'pour concrete',
    'fur coat repair',
    'man pages',
    'no code tools',
    'Notion to Airtable sync',
    'Tableau',
    'kubectl helm istio',
    'weather in los angeles',
    'las vegas hotels',
    'flights to São Paulo',
    'rio de janeiro carnival',
    'café near me',
    'pcos endometriosis',
    'traslate my docment',
    'find a plummer',
    'recieve invoce remindrs',
    'exacct amounnt',
    'delviered packge',
    'delleted fiels',
    "don't know what's wrong",
    '',
    '42',
    '🙂',
    'a',
    'UnitWeaver',
    'troubleshooting flowcharts',
    'version = os',
    'invoice ocr',
    'con artist detection',
    'tour de france stage results',
    'son birthday party',
    'cheap flights berlin rome',
    '5 µs per call',
  ])('leaves %j unchanged', (text) => {
    expect(toEnglish(text)).toEqual({ language: 'en', text });
  });

  it.each([
    'translate "je ne sais quoi" for me',
    'translate guten morgen to english',
    'what does schadenfreude mean',
    'how do you write 你好 in english',
    'explain the word 天気予報 to a child',
    'the best döner kebab in town',
  ])('classifies it as English despite a few words in another language: %s', (text) => {
    expect(toEnglish(text).language).toBe('en');
  });
});

describe('translating a text in another language', () => {
  it.each([
    ['de', 'ich habe hunger'],
    ['de', 'rezept pasta'],
    ['de', 'Was koche ich aus den Resten im Kühlschrank?'],
    ['de', 'Steuerberater'],
    ['fr', 'test unitaire pour mon code'],
    ['es', 'resumir reuniones automáticamente'],
    ['pt', 'voos baratos para Lisboa'],
    ['pt', 'aprender inglês'],
    ['ja', '確定申告'],
    ['fr', 'trouver un vol pas cher'],
    ['fr', "j'ai faim"],
    ['es', 'vuelos baratos a Roma'],
    ['es', 'tengo hambre'],
    ['it', 'prenotare un volo per Parigi'],
    ['pt', 'estou com fome'],
    ['nl', 'ik heb honger'],
    ['zh', '我饿了'],
    ['zh', '我餓了'],
    ['ja', 'お腹が空いた'],
    ['ko', '비행기 표 예약'],
    ['ru', 'найти дешёвый рейс'],
    ['ar', 'احجز رحلة'],
    ['pl', 'szukam czegoś do jedzenia'],
    ['sv', 'jag vill boka ett hotell'],
  ])('recognizes %s: %s', (language, text) => {
    expect(toEnglish(text).language).toBe(language);
  });

  it.each([
    ['ich habe Hunger', 'hungry'],
    ["j'ai faim", 'hungry'],
    ['我餓了', 'hungry'],
    ['お腹が空いた', 'hungry'],
    ['Flughafenhotel', 'airport hotel'],
    ['vuelos', 'flight'],
    ['receitas vegetarianas', 'recipe vegetarian'],
    ['pommes de terre', 'potato'],
    ['bomen en huizen', 'tree house'],
    ['aufzuräumen', 'tidy up'],
    ['muenchen', 'munich'],
    ['optimización', 'optimization'],
    ['Kündigungsfrist', 'cancel deadline'],
    ['把PDF翻译成英语', 'pdf translate English'],
  ])('translates %s word by word', (text, english) => {
    expect(toEnglish(text).text).toBe(english);
  });

  it('keeps names and acronyms', () => {
    expect(toEnglish('Hotel in Berlin buchen').text).toBe('Hotel Berlin booking');
  });

  it('yields nothing if fewer than half of the words are known', () => {
    expect(toEnglish('der Xylopfrumpf und die Quabbelzwirn')).toEqual({ language: 'de', text: null });
    expect(toEnglish('비행기 표 예약').text).toBeNull();
  });
});

describe('the concept table', () => {
  const [head, ...lines] = readFileSync('lib/discovery/languages/data/concepts.tsv', 'utf8').trim().split('\n');
  const languages = head?.split('\t') ?? [];
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));

  it('has at least 1,200 rows, each with words in every language', () => {
    expect(rows.length).toBeGreaterThanOrEqual(1200);
    expect(languages).toEqual(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja']);
    const incomplete = rows.filter((row) => row.length !== languages.length || row.some((cell) => cell.trim() === ''));
    expect(incomplete).toEqual([]);
  });

  it('lists each word of a language once', () => {
    for (const [column, language] of languages.entries()) {
      const forms = rows
        .flatMap((row) => row[column]?.split(',') ?? [])
        .map((form) => foldText(form).replace(/['’-]/g, ' '));
      expect([language, ...forms.filter((form, at) => forms.indexOf(form) !== at)]).toEqual([language]);
    }
  });

  it('contains simplified Chinese characters, to which queries are reduced', () => {
    const column = languages.indexOf('zh');
    expect(rows.filter((row) => simplified(row[column] ?? '') !== row[column])).toEqual([]);
  });

  it('translates only to common English words', () => {
    const words = rows.flatMap(([english = '']) => english.split(' '));
    expect(words.filter((word) => !isCommonWord(word))).toEqual([]);
  });
});

it('language detection returns a language and never throws, whatever the text and script', () => {
  const letter = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('ich ', 'le ', 'vol', '翻訳', '发票', 'の', 'ß', "l'", ' "', 'ни', '한', 'ال', ' flight ', '🙂'),
  );
  const text = fc.array(letter, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (value) => {
      const { language, text: english } = toEnglish(value);
      expect(language).toMatch(/^([a-z]{2}|unknown)$/);
      expect(english === null || english.trim() !== '' || language === 'en').toBe(true);
    }),
    { numRuns: 10_000 },
  );
});
