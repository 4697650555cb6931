import { endpoint } from '../../http/endpoint';
import {
  createStanding,
  getAgentSpending,
  getConversationSpending,
  listSpendingAlerts,
  listSpendingLimits,
  listStandingApprovals,
  pauseStanding,
  reviewLimit,
  reviewStanding,
  reviewTimeZone,
  revokeStanding,
  setAlertsSeen,
  setAutomaticEmails,
  setLimit,
  setTimeZone,
  stopStanding,
  sumSpending,
} from '..';
import {
  agentSpendingSchema,
  alertsSeenSchema,
  automaticEmailsSchema,
  conversationSpendingSchema,
  limitChangeSchema,
  limitReviewSchema,
  setLimitSchema,
  spendingAlertsSchema,
  spendingSchema,
  sumsFilterSchema,
  sumsSchema,
  timeZoneSchema,
} from '../schema-spending';
import {
  pausedSchema,
  signStandingSchema,
  standingListSchema,
  standingReviewRequestSchema,
  standingReviewSchema,
  stoppedSchema,
} from '../schema-standing';

export const getSpending = endpoint({
  method: 'GET',
  path: '/api/spending',
  auth: { scope: 'pay' },
  response: spendingSchema,
  docs: { tag: 'Payments', summary: 'List your spending limits and what is left of them' },
  handle: listSpendingLimits,
});

export const getSums = endpoint({
  method: 'GET',
  path: '/api/spending/sums',
  auth: { scope: 'pay' },
  query: sumsFilterSchema,
  response: sumsSchema,
  docs: {
    tag: 'Payments',
    summary: 'Add up what you paid in a month',
    description:
      'By currency, agent and conversation. An order counts as it does for spending limits, refunds deducted.',
  },
  handle: ({ ctx, query }) => sumSpending({ ctx, input: query }),
});

export const getSpendingAtAgent = endpoint({
  method: 'GET',
  path: '/api/spending/agents/:slug',
  auth: { scope: 'pay' },
  response: agentSpendingSchema,
  errors: ['gone'],
  docs: { tag: 'Payments', summary: 'Get what you can spend, and spent this month, at an agent' },
  handle: ({ ctx, params: { slug = '' } }) => getAgentSpending({ ctx, input: { slug } }),
});

export const getSpendingInConversation = endpoint({
  method: 'GET',
  path: '/api/spending/conversations/:id',
  auth: { scope: 'pay' },
  response: conversationSpendingSchema,
  docs: { tag: 'Payments', summary: 'Get what you paid in a conversation' },
  handle: ({ ctx, params: { id = '' } }) => getConversationSpending({ ctx, input: { id } }),
});

export const postLimitReview = endpoint({
  method: 'POST',
  path: '/api/spending/limits/review',
  auth: 'session',
  body: limitChangeSchema,
  response: limitReviewSchema,
  errors: ['not_found'],
  docs: { tag: 'Payments', summary: 'Prepare the change of a spending limit' },
  handle: reviewLimit,
});

export const putLimit = endpoint({
  method: 'PUT',
  path: '/api/spending/limits',
  auth: { scope: 'guards:write' },
  body: setLimitSchema,
  response: spendingSchema,
  errors: ['forbidden', 'not_found', 'passkey_required', 'passkey_refused', 'sign_in_again', 'conflict'],
  docs: { tag: 'Payments', summary: 'Set, remove or reset a spending limit' },
  handle: setLimit,
});

export const postTimeZoneReview = endpoint({
  method: 'POST',
  path: '/api/spending/time-zone/review',
  auth: 'session',
  body: timeZoneSchema,
  response: limitReviewSchema,
  docs: { tag: 'Payments', summary: 'Prepare the change of the time zone of your spending limits' },
  handle: reviewTimeZone,
});

export const putTimeZone = endpoint({
  method: 'PUT',
  path: '/api/spending/time-zone',
  auth: 'session',
  body: timeZoneSchema,
  response: spendingSchema,
  errors: ['passkey_required', 'passkey_refused', 'sign_in_again'],
  docs: { tag: 'Payments', summary: 'Set the time zone of your spending limits' },
  handle: setTimeZone,
});

export const getSpendingAlerts = endpoint({
  method: 'GET',
  path: '/api/spending/alerts',
  auth: { scope: 'pay' },
  response: spendingAlertsSchema,
  docs: {
    tag: 'Payments',
    summary: 'List your spending alerts',
    description: 'Of the last 90 days, newest first, at most 50.',
  },
  handle: listSpendingAlerts,
});

export const putAlertsSeen = endpoint({
  method: 'PUT',
  path: '/api/spending/alerts/seen',
  auth: 'session',
  body: alertsSeenSchema,
  docs: { tag: 'Payments', summary: 'Mark spending alerts as seen' },
  handle: async ({ ctx, input }) => {
    await setAlertsSeen({ ctx, input });
    return undefined;
  },
});

export const putAutomaticEmails = endpoint({
  method: 'PUT',
  path: '/api/spending/automatic-payments/emails',
  auth: 'session',
  body: automaticEmailsSchema,
  response: automaticEmailsSchema,
  docs: { tag: 'Payments', summary: 'Choose when automatic payments are emailed' },
  handle: setAutomaticEmails,
});

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
