import { anyObject } from '../answers/common';
import { getOneOrder, getOrders, postRefundRequest } from '../orders';
import type { Row } from '../row';
import { getSales, postRefundDecision } from '../sales';
import { postStripeWebhook } from '../stripe-webhook';
import { getOwnWallet, postTopUp } from '../wallet';

export const paymentsRows: Row[] = [
  {
    method: 'GET',
    path: '/api/orders',
    endpoint: getOrders,
    about: {
      part: 'Payments',
      summary: 'List your orders',
      more: 'With `Accept: text/csv` as a table.',
      answer: anyObject,
    },
  },
  {
    method: 'GET',
    path: '/api/orders/:id',
    endpoint: getOneOrder,
    about: { part: 'Payments', summary: 'Read an order', answer: anyObject },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/refund',
    endpoint: postRefundRequest,
    about: { part: 'Payments', summary: 'Ask for money back', answer: anyObject, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/sales',
    endpoint: getSales,
    about: { part: 'Payments', summary: 'List what your agents sold', answer: anyObject },
  },
  {
    method: 'POST',
    path: '/api/sales/:id/refund',
    endpoint: postRefundDecision,
    about: { part: 'Payments', summary: 'Decide about a refund', answer: anyObject, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/wallet',
    endpoint: getOwnWallet,
    about: { part: 'Payments', summary: 'Read your wallet', answer: anyObject },
  },
  {
    method: 'POST',
    path: '/api/wallet/top-ups',
    endpoint: postTopUp,
    about: {
      part: 'Payments',
      summary: 'Top up your wallet',
      answer: anyObject,
      problems: ['idempotency_key_missing', 'idempotency_mismatch', 'idempotency_in_flight'],
    },
  },
  {
    method: 'POST',
    path: '/api/webhooks/stripe',
    endpoint: postStripeWebhook,
    about: { part: 'Payments', summary: 'Take a notice of the card processor', more: 'Signed by Stripe.', status: 200 },
  },
];
