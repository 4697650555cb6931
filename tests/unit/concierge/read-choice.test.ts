import { describe, expect, test } from 'vitest';
import { asksForAnother, readChoice } from '@/lib/concierge/ask-person';

const offered = [
  { slug: 'trip-planner', name: 'Trip Planner' },
  { slug: 'flight-finder', name: 'Flight Finder' },
  { slug: 'uebersetzer', name: 'Übersetzer' },
];

describe('the choice reader', () => {
  test.each([
    ['Ask Trip Planner', 'trip-planner'],
    ['trip planner please', 'trip-planner'],
    ['flight-finder', 'flight-finder'],
    ['übersetzer', 'uebersetzer'],
    ['the second', 'flight-finder'],
    ['The second one, please', 'flight-finder'],
    ['2', 'flight-finder'],
    ['number 3', 'uebersetzer'],
    ['die erste', 'trip-planner'],
    ['el tercero', 'uebersetzer'],
    ['the last one', 'uebersetzer'],
  ])('recognizes the chosen agent in "%s"', (text, slug) => {
    expect(readChoice(text, offered)?.slug).toBe(slug);
  });

  test.each([
    'yes',
    'none',
    'Plan a trip with two people',
    'Find the 3 cheapest flights',
    'Trip Planner or Flight Finder',
    '4',
    '',
  ])('finds no choice in "%s"', (text) => {
    expect(readChoice(text, offered)).toBeNull();
  });

  test('accepts "yes" for the only candidate', () => {
    expect(readChoice('Yes, please', offered.slice(0, 1))?.slug).toBe('trip-planner');
  });

  test('prefers the longest name if one name contains another', () => {
    const agents = [
      { slug: 'travel', name: 'Travel' },
      { slug: 'travel-pro', name: 'Travel Pro' },
    ];
    expect(readChoice('Ask Travel Pro', agents)?.slug).toBe('travel-pro');
    expect(readChoice('Ask Travel', agents)?.slug).toBe('travel');
  });
});

test('a short request for another agent is recognized', () => {
  for (const text of ['Ask someone else', 'another agent please', 'none of these', 'Try a different one'])
    expect(asksForAnother(text), text).toBe(true);
  const task = 'Write an email to someone else in the team about the plan for the next two quarters';
  expect(asksForAnother(task)).toBe(false);
  expect(asksForAnother('Make it shorter')).toBe(false);
});
