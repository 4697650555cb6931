import type { Candidate } from './find-candidates';
import { FITTING_SCORE, FITTING_WORDS, MIN_LEAD, MIN_SCORE, STRONG_SCORE } from './limits';
import type { ChoiceReason } from './schema';

/** The result of the rule: the agent to call, or the reason why the user must choose. */
export type Decision =
  | { chosen: Candidate; lead: number }
  | { chosen: null; lead: number | null; reason: ChoiceReason };

/**
 * Chooses an agent only if the match is clear: a high score with a lead over the second agent, and a very high one for
 * an agent that takes payments or a message that looks private. Without search by meaning, the user must choose.
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

/** True if a router model may choose this candidate. False for a weak match if the rule requires a question. */
export function mayBeChosen({ score, words, takesPayments }: Candidate): boolean {
  if (score === null) return words >= FITTING_WORDS && !takesPayments;
  return score >= (takesPayments ? STRONG_SCORE : FITTING_SCORE);
}

/** Scores are recorded with three decimals. */
export function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
