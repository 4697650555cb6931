import { z } from 'zod';
import { orderFilterSchema, salesFilterSchema } from '../../payments/schema';
import { orderDetail, orderPage, orderView } from '../answers/orders';
import { salesPage, saleView, topUpView, walletView } from '../answers/payments';
import { getOneOrder, getOrders, postRefundRequest } from '../orders';
import type { Route } from '../route';
import { getSales, postRefundDecision } from '../sales';
import { postStripeWebhook } from '../stripe-webhook';
import { getOwnWallet, postTopUp } from '../wallet';

export const paymentsRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/orders',
    endpoint: getOrders,
    docs: {
      tag: 'Payments',
      summary: 'List your orders',
      description:
        'Newest first. With `format=csv` or `format=json` a file of all that the filter finds, the latter one order a line.',
      query: orderFilterSchema.extend({ format: z.enum(['csv', 'json']).optional() }),
      response: orderPage,
    },
  },
  {
    method: 'GET',
    path: '/api/orders/:id',
    endpoint: getOneOrder,
    docs: { tag: 'Payments', summary: 'Read an order', response: orderDetail },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/refund',
    endpoint: postRefundRequest,
    docs: { tag: 'Payments', summary: 'Ask for money back', response: orderView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/sales',
    endpoint: getSales,
    docs: {
      tag: 'Payments',
      summary: 'List what your agents sold',
      description: 'Newest first. With `format=csv` a file of all that the filter finds.',
      query: salesFilterSchema.extend({ format: z.literal('csv').optional() }),
      response: salesPage,
    },
  },
  {
    method: 'POST',
    path: '/api/sales/:id/refund',
    endpoint: postRefundDecision,
    docs: { tag: 'Payments', summary: 'Decide about a refund', response: saleView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/wallet',
    endpoint: getOwnWallet,
    docs: { tag: 'Payments', summary: 'Read your wallet', response: walletView },
  },
  {
    method: 'POST',
    path: '/api/wallet/top-ups',
    endpoint: postTopUp,
    docs: {
      tag: 'Payments',
      summary: 'Top up your wallet',
      response: topUpView,
      problems: ['idempotency_key_missing', 'idempotency_mismatch', 'idempotency_in_flight'],
    },
  },
  {
    method: 'POST',
    path: '/api/webhooks/stripe',
    endpoint: postStripeWebhook,
    docs: {
      tag: 'Payments',
      summary: 'Take a notice of the card processor',
      description: 'Signed by Stripe.',
      status: 200,
    },
  },
];
