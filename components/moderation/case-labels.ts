import type { CaseState, Decision } from '@/lib/moderation/schema';

export const stateTones: Record<CaseState, 'neutral' | 'accent' | 'good' | 'warn' | 'danger'> = {
  open: 'accent',
  dismissed: 'neutral',
  removed: 'danger',
  appealed: 'warn',
  restored: 'good',
  upheld: 'danger',
};

/** The decisions available in each state, if any. */
export const decisionsIn: Partial<Record<CaseState, Decision[]>> = {
  open: ['dismiss', 'remove'],
  removed: ['restore'],
  appealed: ['uphold', 'restore'],
  upheld: ['restore'],
};

/** Returns true for states in which a decision is available. */
export function isDecidable(state: CaseState): boolean {
  return decisionsIn[state] !== undefined;
}
