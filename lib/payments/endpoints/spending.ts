import { endpoint } from '../../http/endpoint';
import {
  getAgentSpending,
  getConversationSpending,
  listSpendingLimits,
  reviewLimit,
  reviewTimeZone,
  setLimit,
  setTimeZone,
  sumSpending,
} from '..';
import {
  limitChangeSchema,
  limitReviewSchema,
  setLimitSchema,
  spendingSchema,
  timeZoneSchema,
} from '../schema-spending';
import { agentSpendingSchema, conversationSpendingSchema, sumsFilterSchema, sumsSchema } from '../schema-spending-sums';

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
