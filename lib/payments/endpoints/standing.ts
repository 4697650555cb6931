import { endpoint } from '../../http/endpoint';
import { createStanding, listStandingApprovals, pauseStanding, reviewStanding, revokeStanding, stopStanding } from '..';
import {
  pausedSchema,
  signStandingSchema,
  standingListSchema,
  standingReviewRequestSchema,
  standingReviewSchema,
  stoppedSchema,
} from '../schema-standing';

export const getStanding = endpoint({
  method: 'GET',
  path: '/api/standing-approvals',
  auth: { scope: 'pay' },
  response: standingListSchema,
  docs: { tag: 'Payments', summary: 'List your standing approvals' },
  handle: listStandingApprovals,
});

export const postStandingReview = endpoint({
  method: 'POST',
  path: '/api/standing-approvals/review',
  auth: 'session',
  body: standingReviewRequestSchema,
  response: standingReviewSchema,
  errors: ['not_found', 'passkey_required'],
  docs: { tag: 'Payments', summary: 'Prepare a standing approval' },
  handle: reviewStanding,
});

export const postStanding = endpoint({
  method: 'POST',
  path: '/api/standing-approvals',
  auth: 'session',
  body: signStandingSchema,
  response: standingListSchema,
  errors: ['passkey_refused', 'conflict'],
  docs: { tag: 'Payments', summary: 'Create a standing approval that your passkey signed' },
  handle: createStanding,
});

export const putStandingPaused = endpoint({
  method: 'PUT',
  path: '/api/standing-approvals/:id/paused',
  auth: 'session',
  body: pausedSchema,
  response: standingListSchema,
  errors: ['not_found', 'sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Payments', summary: 'Pause or resume a standing approval' },
  handle: ({ ctx, input, params: { id = '' } }) => pauseStanding({ ctx, input: { ...input, id } }),
});

export const deleteStanding = endpoint({
  method: 'DELETE',
  path: '/api/standing-approvals/:id',
  auth: 'session',
  response: standingListSchema,
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Revoke a standing approval' },
  handle: ({ ctx, params: { id = '' } }) => revokeStanding({ ctx, input: { id } }),
});

export const putStandingStopped = endpoint({
  method: 'PUT',
  path: '/api/spending/automatic-payments',
  auth: 'session',
  body: stoppedSchema,
  response: standingListSchema,
  errors: ['sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Payments', summary: 'Stop all automatic payments, or allow them again' },
  handle: stopStanding,
});
