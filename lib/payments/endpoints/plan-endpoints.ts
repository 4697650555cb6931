import { endpoint } from '../../http/endpoint';
import { approvePrice, getPriceTerms, listPriceApprovals, listTaskCharges, reviewPrice, revokePrice } from '..';
import {
  approvePriceSchema,
  priceApprovalsSchema,
  priceApprovalTermsSchema,
  priceReviewSchema,
  priceTermsSchema,
  taskChargeFilterSchema,
  taskChargesSchema,
} from '../schema-plans';

export const getPriceApprovals = endpoint({
  method: 'GET',
  path: '/api/price-approvals',
  auth: { scope: 'pay' },
  response: priceApprovalsSchema,
  docs: { tag: 'Payments', summary: 'List the prices that you approved' },
  handle: listPriceApprovals,
});

export const getTermsOfAgent = endpoint({
  method: 'GET',
  path: '/api/price-approvals/agents/:slug',
  auth: { scope: 'pay' },
  response: priceTermsSchema,
  errors: ['gone'],
  docs: { tag: 'Payments', summary: 'Get what an agent costs and what you approved there' },
  handle: ({ ctx, params: { slug = '' } }) => getPriceTerms({ ctx, input: { slug } }),
});

export const postPriceReview = endpoint({
  method: 'POST',
  path: '/api/price-approvals/review',
  auth: { scope: 'pay' },
  body: priceApprovalTermsSchema,
  response: priceReviewSchema,
  errors: ['gone', 'conflict'],
  docs: { tag: 'Payments', summary: 'Get the proof that the approval of a price requires' },
  handle: ({ ctx, input }) => reviewPrice({ ctx, input }),
});

export const postPriceApproval = endpoint({
  method: 'POST',
  path: '/api/price-approvals',
  auth: { scope: 'pay' },
  body: approvePriceSchema,
  response: priceTermsSchema,
  errors: ['gone', 'conflict', 'spending_limit_exceeded', 'passkey_required', 'passkey_refused', 'sign_in_again'],
  docs: {
    tag: 'Payments',
    summary: 'Approve the price of an agent',
    description:
      'Sends to the agent are charged from the wallet until the total is reached, each with the price or, for a price per unit, with at most the cap. Replaces the approval in force. Above the amount that needs a passkey, only a session can approve.',
  },
  handle: ({ ctx, input }) => approvePrice({ ctx, input }),
});

export const deletePriceApproval = endpoint({
  method: 'DELETE',
  path: '/api/price-approvals/:id',
  auth: { scope: 'pay' },
  response: priceApprovalsSchema,
  docs: { tag: 'Payments', summary: 'End the approval of a price', description: 'Work in progress is still charged.' },
  handle: ({ ctx, params: { id = '' } }) => revokePrice({ ctx, input: { id } }),
});

export const getTaskCharges = endpoint({
  method: 'GET',
  path: '/api/task-charges',
  auth: { scope: 'pay' },
  query: taskChargeFilterSchema,
  response: taskChargesSchema,
  docs: { tag: 'Payments', summary: 'List what your tasks and messages cost' },
  handle: ({ ctx, query }) => listTaskCharges({ ctx, input: query }),
});
