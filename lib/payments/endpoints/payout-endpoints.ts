import { endpoint } from '../../http/endpoint';
import {
  cancelPayout,
  getPayoutAccount,
  listPayouts,
  requestPayout,
  setLeaving,
  setPayoutSchedule,
  startOnboarding,
} from '..';
import {
  leavingSchema,
  onboardingResultSchema,
  onboardingSchema,
  payoutAccountSchema,
  payoutFilterSchema,
  payoutPageSchema,
  payoutRequestSchema,
  payoutScheduleSchema,
  payoutSchema,
} from '../schema-payouts';

export const getPayouts = endpoint({
  method: 'GET',
  path: '/api/payouts',
  auth: { scope: 'agents:read' },
  query: payoutFilterSchema,
  response: payoutPageSchema,
  docs: { tag: 'Payments', summary: 'List your payouts' },
  handle: ({ ctx, query }) => listPayouts({ ctx, input: query }),
});

export const postPayout = endpoint({
  method: 'POST',
  path: '/api/payouts',
  auth: { scope: 'agents:write' },
  body: payoutRequestSchema,
  response: payoutSchema,
  errors: ['conflict', 'rate_limited'],
  docs: { tag: 'Payments', summary: 'Pay out what is available in a currency' },
  handle: requestPayout,
});

export const postPayoutCancel = endpoint({
  method: 'POST',
  path: '/api/payouts/:id/cancel',
  auth: { scope: 'agents:write' },
  response: payoutSchema,
  errors: ['not_found', 'conflict'],
  docs: { tag: 'Payments', summary: 'Cancel a payout whose money has not left' },
  handle: ({ ctx, params }) => cancelPayout({ ctx, input: { id: params.id ?? '' } }),
});

export const getAccountOfPayouts = endpoint({
  method: 'GET',
  path: '/api/payouts/account',
  auth: { scope: 'agents:read' },
  response: payoutAccountSchema,
  docs: { tag: 'Payments', summary: 'Get where and when you are paid out' },
  handle: getPayoutAccount,
});

export const putPayoutSchedule = endpoint({
  method: 'PUT',
  path: '/api/payouts/schedule',
  auth: { scope: 'agents:write' },
  body: payoutScheduleSchema,
  response: payoutAccountSchema,
  docs: { tag: 'Payments', summary: 'Set when you are paid out' },
  handle: setPayoutSchedule,
});

export const postOnboarding = endpoint({
  method: 'POST',
  path: '/api/payouts/onboarding',
  auth: 'session',
  body: onboardingSchema,
  response: onboardingResultSchema,
  errors: ['rate_limited'],
  docs: { tag: 'Payments', summary: 'Set up payouts' },
  handle: startOnboarding,
});

export const putLeaving = endpoint({
  method: 'PUT',
  path: '/api/payouts/leaving',
  auth: { scope: 'agents:write' },
  body: leavingSchema,
  response: payoutAccountSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Have everything paid out, or return to the schedule' },
  handle: setLeaving,
});
