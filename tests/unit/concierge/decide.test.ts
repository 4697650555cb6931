import { describe, expect, test } from 'vitest';
import { decide, mayBeChosen } from '@/lib/concierge/decide';
import type { Candidate } from '@/lib/concierge/find-candidates';

interface Options extends Partial<Pick<Candidate, 'fit' | 'words' | 'takesPayments'>> {}

function candidate(
  score: number | null,
  { fit = 'might_fit', takesPayments = false, words = 0 }: Options = {},
): Candidate {
  return { fit, score, words, takesPayments } as Candidate;
}

const open = { isPrivate: false };
const secret = { isPrivate: true };

describe('the concierge', () => {
  test('chooses an agent without asking at a score of at least .55 and a lead of at least .15', () => {
    expect(decide([candidate(0.55), candidate(0.4)], open)).toMatchObject({ chosen: { score: 0.55 }, lead: 0.15 });
    expect(decide([candidate(0.55), candidate(0.401)], open)).toMatchObject({ chosen: null, reason: 'unsure' });
    expect(decide([candidate(0.549), candidate(0.3)], open)).toMatchObject({ chosen: null, reason: 'unsure' });
  });

  test('chooses an agent that takes payments without asking only on a strong match', () => {
    expect(decide([candidate(0.69, { takesPayments: true })], open)).toMatchObject({ chosen: null, reason: 'paid' });
    expect(decide([candidate(0.7, { takesPayments: true })], open)).toMatchObject({ chosen: { score: 0.7 } });
  });

  test('asks about a message that looks private unless the match is strong', () => {
    expect(decide([candidate(0.69)], secret)).toMatchObject({ chosen: null, reason: 'private' });
    expect(decide([candidate(0.5)], secret)).toMatchObject({ chosen: null, reason: 'private' });
    expect(decide([candidate(0.8), candidate(0.6)], secret)).toMatchObject({ chosen: { score: 0.8 } });
  });

  test('chooses no agent that is merely closest, without search by meaning, or without candidates', () => {
    const closest = candidate(0.6, { fit: 'closest' });
    expect(decide([closest], open)).toMatchObject({ chosen: null, reason: 'nothing-fits' });
    expect(decide([closest], secret)).toMatchObject({ chosen: null, reason: 'nothing-fits' });
    expect(decide([candidate(0.44)], open)).toMatchObject({ chosen: null, reason: 'unsure' });
    expect(decide([candidate(null), candidate(null)], open)).toMatchObject({ chosen: null, reason: 'unsure' });
    expect(decide([], open)).toMatchObject({ chosen: null, reason: 'nothing-fits' });
  });
});

test('a router model cannot choose a poor match, or an agent that takes payments on a weak match', () => {
  expect(mayBeChosen(candidate(0.44))).toBe(true);
  expect(mayBeChosen(candidate(0.6, { fit: 'closest' }))).toBe(false);
  expect(mayBeChosen(candidate(0.8, { fit: 'closest', takesPayments: true }))).toBe(false);
  expect(mayBeChosen(candidate(0.69, { takesPayments: true }))).toBe(false);
  expect(mayBeChosen(candidate(0.7, { takesPayments: true }))).toBe(true);
  expect(mayBeChosen(candidate(null, { words: 0.5 }))).toBe(true);
  expect(mayBeChosen(candidate(null, { words: 0.4 }))).toBe(false);
  expect(mayBeChosen(candidate(null, { words: 1, takesPayments: true }))).toBe(false);
});
