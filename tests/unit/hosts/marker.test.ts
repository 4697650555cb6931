import { expect, test } from 'vitest';
import { markerFor, newTurnToken, takeMarkers } from '@/lib/hosts/openai/transcript';

const answers = [
  'Fine',
  '',
  '```js\nlet a;\n```',
  '| a |\n|---|',
  'See https://example.com/a',
  '{"a": [1]}',
  '[not JSON',
  '👩‍👩‍👧 ok',
];

test.each(answers)('the conversation marker of %j is found again, and removing it restores the answer', (answer) => {
  for (let round = 0; round < 50; round++) {
    const token = newTurnToken();
    expect(takeMarkers(answer + markerFor(answer, token))).toEqual({ text: answer, token });
  }
});

test('an answer without a conversation marker has no token', () => {
  for (const answer of answers) expect(takeMarkers(answer)).toEqual({ text: answer, token: null });
});

test('the last of several conversation markers is used, and all are removed', () => {
  const [first, last] = [newTurnToken(), newTurnToken()];
  const text = `a${markerFor('a', first)} b${markerFor('b', last)}`;
  expect(takeMarkers(text)).toEqual({ text: 'a b', token: last });
});

test('a conversation marker is a separate paragraph, or white space that JSON permits', () => {
  expect(markerFor('Fine', newTurnToken())).toMatch(/^\n\n(?:\u200b|\u200c|\u200d|\u2060){64}$/);
  const json = '{"a":1}';
  expect(JSON.parse(json + markerFor(json, newTurnToken()))).toEqual({ a: 1 });
});

test('a conversation marker survives trim()', () => {
  const token = newTurnToken();
  expect(takeMarkers(`Fine${markerFor('Fine', token)}\n`.trim()).token).toBe(token);
});
