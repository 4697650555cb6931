import type { Candidate } from './find-candidates';
import { FITTING_SCORE, FITTING_WORDS, MIN_LEAD, MIN_SCORE, STRONG_SCORE } from './limits';
import type { ChoiceReason } from './schema';

/** What the rule says: the agent to ask, or why the person must choose. */
export type Decision =
  | { chosen: Candidate; lead: number }
  | { chosen: null; lead: number | null; reason: ChoiceReason };

/**
 * Decides alone only on a clear match: a high score with a lead over the second, and a very high one for an agent that
 * takes payments or a message that looks private. Without search by meaning it never decides.
 */
export function decide(candidates: Candidate[], { isPrivate }: { isPrivate: boolean }): Decision {
  const [best, second] = candidates;
  if (!best || best.score === null) return { chosen: null, lead: null, reason: best ? 'unsure' : 'nothing-fits' };
  const lead = round(best.score - (second?.score ?? 0));
  const reason = doubtAbout(best, lead, isPrivate);
  return reason === null ? { chosen: best, lead } : { chosen: null, lead, reason };
}

function doubtAbout({ score, takesPayments }: Candidate, lead: number, isPrivate: boolean): ChoiceReason | null {
  if (score === null || score < FITTING_SCORE) return 'nothing-fits';
  if (score < MIN_SCORE || lead < MIN_LEAD) return isPrivate ? 'private' : 'unsure';
  if (score >= STRONG_SCORE) return null;
  if (isPrivate) return 'private';
  return takesPayments ? 'paid' : null;
}

/** Whether a router model may choose this candidate: never on a weak match where the rule must ask. */
export function mayBeChosen({ score, words, takesPayments }: Candidate): boolean {
  if (score === null) return words >= FITTING_WORDS && !takesPayments;
  return score >= (takesPayments ? STRONG_SCORE : FITTING_SCORE);
}

/** Scores are recorded with three decimals. */
export function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
