import { describe, expect, test } from 'vitest';
import { checkTranslations, compareTranslation } from '@/scripts/docs/translations.mjs';

const original = `# Chat

Send \`GET /a\` up to 200,000 times. See [Orders](/orders).

\`\`\`sh
# Ask it.
ask "Good morning" # twice
\`\`\`

## Files

- **Send** a file.
- Read <Limit /> it.

| Kind | When |
|---|---|
| Offer | It sells. |
`;

const german = `# Chatten

Siehe [Bestellungen](/orders). Senden Sie \`GET /a\` bis zu 200.000 Mal.

\`\`\`sh
# Fragen Sie.
ask "Good morning" # zweimal
\`\`\`

## Dateien

- **Senden** Sie eine Datei.
- Lesen Sie sie <Limit />.

| Art | Wann |
|---|---|
| Angebot | Er verkauft. |
`;

describe('a translated page', () => {
  test('has the structure of the original, with its own words, comments and order', () => {
    expect(compareTranslation(original, german)).toEqual([]);
    expect(compareTranslation(original, german.replace('200.000', '200 000'))).toEqual([]);
  });

  test.each([
    ['a heading', '## Files', '### Files', 'headings: found # ##; expected # ###'],
    ['a link', '](/orders)', '](/spending)', '"Chat": links: found "/orders"; expected "/spending"'],
    ['code in the text', '`GET /a`', '`GET /b`', '"Chat": code: found "`GET /a`"; expected "`GET /b`"'],
    ['a number', '200,000', '300,000', '"Chat": numbers: found "200000"; expected "300000"'],
    ['a code block', 'ask "Good', 'tell "Good', '"Chat": code blocks: found'],
    ['a component', '<Limit />', '<Price />', '"Files": components: found "Limit"; expected "Price"'],
    ['a list item', '- Read', 'Read', '"Files": list items: found "- "; expected nothing'],
    ['a table row', '| Offer | It sells. |\n', '', '"Files": table rows: found "|"; expected nothing'],
  ])('is reported if %s of the original has changed', (...row) => {
    const [, from, to, difference] = row;
    const differences = compareTranslation(original.replace(from, to), german);
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain(difference);
  });
});

test('every translation of the docs is up to date', () => {
  expect(checkTranslations('docs/site')).toEqual([]);
});
