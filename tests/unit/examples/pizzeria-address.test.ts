import { describe, expect, it } from 'vitest';
import { findAddress, isComplete } from '@/examples/agents/pizzeria/address';

describe('the address search in a text', () => {
  it.each([
    ['deliver to 5 Baker St. Apt. 4, London please', '5 Baker St. Apt. 4, London', 'please'],
    ['two margheritas, 12 Via Roma, Florence', '12 Via Roma, Florence', 'two margheritas'],
    ['just a small marinara to 12 Via Roma', '12 Via Roma', 'just a small marinara'],
    [
      'a napoli, 10 Downing Street, London SW1A 2AA, no capers',
      '10 Downing Street, London SW1A 2AA',
      'a napoli no capers',
    ],
    ['12 Via Roma, Florence\nno chilli please', '12 Via Roma, Florence', 'no chilli please'],
    ['Deliver it to 12 Via Roma and make it snappy. Thanks!', '12 Via Roma', 'and make it snappy Thanks!'],
    ['2 diavola; deliver to: Piazza del Duomo 1, 50122 Florence', 'Piazza del Duomo 1, 50122 Florence', '2 diavola;'],
    ['change my address to 99 Long Acre, London', '99 Long Acre, London', ''],
    [
      'I live at 4 Privet Drive, Little Whinging. Also a diavola.',
      '4 Privet Drive, Little Whinging',
      'Also a diavola.',
    ],
    ['delivered to 221b Baker Street, London and a large napoli', '221b Baker Street, London', 'and a large napoli'],
  ])('separates the address from the rest: "%s"', (text, address, rest) => {
    const found = findAddress(text, false);
    expect(found?.address).toBe(address);
    expect(found?.rest.replace(/\s+/g, ' ').trim()).toBe(rest);
  });

  it.each([
    'two large margheritas',
    'deliver to my house',
    'What is the address of the restaurant?',
    'make it 2 large',
    'a margherita with 3 olives',
  ])('finds no address in "%s"', (text) => {
    expect(findAddress(text, false)).toBeNull();
  });
});

describe('the address reader for the answer to "Where should we deliver?"', () => {
  it.each(['15 Rocket Lane', '12, Rue de la Paix, 75002 Paris', 'Hauptstraße 7, 10115 Berlin', '3 Napoli Street'])(
    'accepts "%s" as an address',
    (text) => {
      expect(findAddress(text, true)).toEqual({ address: text, rest: '' });
    },
  );

  it.each(['make it 2 large', '12 olives', '<script>alert(1)</script>', '5', 'two more', `12 ${'a'.repeat(300)}`])(
    'rejects "%s" as an address',
    (text) => {
      expect(findAddress(text, true)).toBeNull();
    },
  );
});

describe('the address completeness check', () => {
  it('requires a name and a number', () => {
    expect(isComplete('12 Via Roma')).toBe(true);
    expect(isComplete('Castle Hill')).toBe(false);
    expect(isComplete('12')).toBe(false);
  });
});
