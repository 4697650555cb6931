import { ParleyError } from '../platform/errors';

/** One answer for reviews that do not exist, belong to another agent or are hidden. */
export function reviewNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such review. It may have been deleted; reload the page.');
}

export function reviewerHasNotUsedAgent(): ParleyError {
  return new ParleyError(
    'forbidden',
    'Reviews are by people who have used the agent. Finish a task with it first, then come back.',
  );
}

export function reviewerRunsAgent(): ParleyError {
  return new ParleyError('forbidden', 'You help to run this agent. Its reviews are written by others; you may reply.');
}
