import { ParleyError } from '../platform/errors';
import type { CaseState } from './schema';

export function caseNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such case. Check the address.');
}

export function reportNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no report with this number. Check the address of your receipt.');
}

export function targetNotFound(): ParleyError {
  return new ParleyError('not_found', 'What you report is not there any more, or is not open to you.');
}

export function signInToReport(): ParleyError {
  const text = 'Sign in to report this. Without an account you can report illegal content only.';
  return new ParleyError('unauthenticated', text);
}

/** The case is not in a state for this step, perhaps since a moment ago. */
export function invalidCaseState(state: CaseState): ParleyError {
  return new ParleyError('conflict', `The case is ${state} by now. Reload it and decide again.`, { data: { state } });
}

export function appealNotAllowed(): ParleyError {
  const text =
    'There is nothing to appeal against: one appeal can be made against each removal, and it is decided once.';
  return new ParleyError('conflict', text);
}
