import { describe, expect, test } from 'vitest';
import {
  distanceFrom,
  FITS,
  FITS_AT_ANY_DISTANCE,
  FITTING_WORDS,
  fitByMeaning,
  fitByWords,
  type MeaningEvidence,
  MIGHT_FIT,
  MIGHT_FIT_AT_ANY_DISTANCE,
} from '@/lib/discovery/ranking/fit';

const none: MeaningEvidence = { relevance: 0, words: 0, distance: 0, hasAllWords: false, isNamed: false };

describe('a result of a search by meaning', () => {
  const fitOf = (evidence: Partial<MeaningEvidence>, best?: number) =>
    fitByMeaning({ ...none, ...evidence }, best ?? evidence.relevance ?? 0);

  test('fits if its relevance and distance reach a threshold', () => {
    const { relevance, distance } = FITS;
    expect(fitOf({ relevance, distance })).toBe('fits');
    expect(fitOf({ relevance: relevance - 0.001, distance })).toBe('might_fit');
    expect(fitOf({ relevance, distance: distance - 0.001 })).toBe('might_fit');
  });

  test('might fit if its relevance and distance reach a lower threshold', () => {
    const { relevance, distance } = MIGHT_FIT;
    expect(fitOf({ relevance, distance })).toBe('might_fit');
    expect(fitOf({ relevance: relevance - 0.001, distance: 10 })).toBe('closest');
    expect(fitOf({ relevance, distance: distance - 0.001 })).toBe('closest');
  });

  test('fits, or might fit, at any distance if its relevance is large', () => {
    expect(fitOf({ relevance: FITS_AT_ANY_DISTANCE })).toBe('fits');
    expect(fitOf({ relevance: FITS_AT_ANY_DISTANCE - 0.001 })).toBe('might_fit');
    expect(fitOf({ relevance: MIGHT_FIT_AT_ANY_DISTANCE })).toBe('might_fit');
    expect(fitOf({ relevance: MIGHT_FIT_AT_ANY_DISTANCE - 0.001 })).toBe('closest');
  });

  test('fits at any distance if it has many of the query’s words', () => {
    const { relevance } = FITS;
    expect(fitOf({ relevance, words: FITTING_WORDS })).toBe('fits');
    expect(fitOf({ relevance: MIGHT_FIT_AT_ANY_DISTANCE, words: FITTING_WORDS - 0.001 })).toBe('might_fit');
    expect(fitOf({ relevance: relevance - 0.001, words: FITTING_WORDS })).toBe('closest');
  });

  test('fits only if it is near the best result, or contains every word of the query', () => {
    const further = { relevance: 0.8, distance: 6 };
    expect(fitOf(further, 0.84)).toBe('fits');
    expect(fitOf(further, 0.86)).toBe('might_fit');
    expect(fitOf({ ...further, hasAllWords: true }, 0.86)).toBe('fits');
  });

  test('might fit if it contains every word of the query, and fits if its name is the query', () => {
    expect(fitOf({ hasAllWords: true })).toBe('might_fit');
    expect(fitOf({ isNamed: true })).toBe('fits');
  });
});

describe('a result’s distance', () => {
  const sample = Array.from({ length: 4_000 }, (_, at) => ({ agentId: `agt_${at}`, cosine: at % 2 === 0 ? 0.1 : 0.3 }));

  test('is the number of standard deviations from the sample’s mean', () => {
    const distanceOf = distanceFrom(sample);
    expect(distanceOf('agt_x', 0.2)).toBeCloseTo(0, 1);
    expect(distanceOf('agt_x', 0.6)).toBeCloseTo(4, 1);
  });

  test('is not affected by the agent’s own parts in the sample', () => {
    const own = Array.from({ length: 20 }, () => ({ agentId: 'agt_x', cosine: 0.9 }));
    const distanceOf = distanceFrom([...sample, ...own]);
    expect(distanceOf('agt_x', 0.9)).toBeCloseTo(distanceFrom(sample)('agt_x', 0.9), 6);
    expect(distanceOf('agt_y', 0.9)).toBeLessThan(distanceOf('agt_x', 0.9));
  });

  test('is finite in an empty catalog, and in one whose agents all have the same cosine', () => {
    expect(distanceFrom([])('agt_x', 0.62)).toBeCloseTo(5, 6);
    const same = Array.from({ length: 400 }, (_, at) => ({ agentId: `agt_${at}`, cosine: 0.6 }));
    expect(distanceFrom(same)('agt_x', 0.62)).toBeGreaterThan(0);
  });
});

describe('a result of a search by words', () => {
  test('fits if it contains every word of the query; the only word of a query must be in the name, a skill or a tag', () => {
    expect(fitByWords({ words: 2, level: 1, strength: 1 })).toBe('fits');
    expect(fitByWords({ words: 1, level: 2, strength: 1 })).toBe('fits');
    expect(fitByWords({ words: 1, level: 1, strength: 1 })).toBe('might_fit');
  });

  test('that contains only some of the words, or similar ones, fits depending on their strength', () => {
    expect(fitByWords({ words: 3, level: null, strength: 0.7 })).toBe('fits');
    expect(fitByWords({ words: 1, level: null, strength: 0.7 })).toBe('might_fit');
    expect(fitByWords({ words: 3, level: null, strength: 0.69 })).toBe('might_fit');
    expect(fitByWords({ words: 3, level: null, strength: 0.4 })).toBe('might_fit');
    expect(fitByWords({ words: 3, level: null, strength: 0.39 })).toBe('closest');
  });
});
