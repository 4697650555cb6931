import { z } from 'zod';
import { orderFilterSchema, salesFilterSchema } from '../../payments/schema';
import { orderDetail, orderPage, orderView } from '../answers/orders';
import { salesPage, saleView, topUpView, walletView } from '../answers/payments';
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
      more: 'Newest first. With `format=csv` or `format=json` a file of all that the filter finds, the latter one order a line.',
      query: orderFilterSchema.extend({ format: z.enum(['csv', 'json']).optional() }),
      answer: orderPage,
    },
  },
  {
    method: 'GET',
    path: '/api/orders/:id',
    endpoint: getOneOrder,
    about: { part: 'Payments', summary: 'Read an order', answer: orderDetail },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/refund',
    endpoint: postRefundRequest,
    about: { part: 'Payments', summary: 'Ask for money back', answer: orderView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/sales',
    endpoint: getSales,
    about: {
      part: 'Payments',
      summary: 'List what your agents sold',
      more: 'Newest first. With `format=csv` a file of all that the filter finds.',
      query: salesFilterSchema.extend({ format: z.literal('csv').optional() }),
      answer: salesPage,
    },
  },
  {
    method: 'POST',
    path: '/api/sales/:id/refund',
    endpoint: postRefundDecision,
    about: { part: 'Payments', summary: 'Decide about a refund', answer: saleView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/wallet',
    endpoint: getOwnWallet,
    about: { part: 'Payments', summary: 'Read your wallet', answer: walletView },
  },
  {
    method: 'POST',
    path: '/api/wallet/top-ups',
    endpoint: postTopUp,
    about: {
      part: 'Payments',
      summary: 'Top up your wallet',
      answer: topUpView,
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
