import { expect, test } from 'vitest';
import { compareTexts } from '../../../scripts/messages/compare-languages.mjs';

const english = {
  a: 'Pay {amount} to <b>{name}</b>',
  nested: { b: '{count, plural, one {# task} other {# tasks}}', c: '{state, select, on {On} other {Off}}' },
};

test('every language has every text, with the same arguments, tags and options', () => {
  const german = {
    a: '<b>{name}</b> erhält {amount}',
    nested: { b: '{count, plural, one {# Aufgabe} other {# Aufgaben}}', c: '{state, select, on {An} other {Aus}}' },
  };
  expect(compareTexts(english, german)).toEqual([]);
});

test('a missing, unknown, invalid or different text is reported as a fault', () => {
  const faulty = {
    a: 'Zahlen Sie {betrag} an {name}',
    extra: 'Mehr',
    nested: { c: '{state, select, an {An} other {Aus}}' },
  };
  expect(compareTexts(english, faulty)).toEqual([
    'nested.b is missing',
    'extra is not in English',
    'a: expected <b> {amount} {name}, found {betrag} {name}',
    'nested.c: expected {state on|other}, found {state an|other}',
  ]);
  expect(compareTexts({ a: 'x' }, { a: '{' })).toEqual([expect.stringContaining('a is not an ICU message')]);
});
