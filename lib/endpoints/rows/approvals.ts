import { paymentSettingsSchema } from '../../payments/schema';
import { getAgentMerchant, putAgentMerchant } from '../agent-merchant';
import { orderView, receiptView, reviewView } from '../answers/orders';
import { mandateVerdict, merchantView, signedCart } from '../answers/payments';
import { postCart, postClaim, postVerify } from '../ap2';
import { getOrderReceipt, postApprove, postDecline, postReview } from '../order-approval';
import { getSettings, putSettings } from '../payment-settings';
import type { Route } from '../route';

export const approvalRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/merchant',
    endpoint: getAgentMerchant,
    docs: { tag: 'Payments', summary: 'Read how your agent sells', response: merchantView },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/merchant',
    endpoint: putAgentMerchant,
    docs: { tag: 'Payments', summary: 'Say how your agent sells', response: merchantView },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/review',
    endpoint: postReview,
    docs: {
      tag: 'Payments',
      summary: 'Read what is to be approved',
      response: reviewView,
      problems: ['cart_refused', 'conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/approve',
    endpoint: postApprove,
    docs: {
      tag: 'Payments',
      summary: 'Pay an order',
      response: orderView,
      problems: [
        'sign_in_again',
        'passkey_required',
        'passkey_refused',
        'amount_mismatch',
        'cart_refused',
        'idempotency_key_missing',
        'idempotency_mismatch',
        'idempotency_in_flight',
        'conflict',
      ],
    },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/decline',
    endpoint: postDecline,
    docs: { tag: 'Payments', summary: 'Decline an order', response: orderView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/orders/:id/receipt',
    endpoint: getOrderReceipt,
    docs: { tag: 'Payments', summary: 'Read the evidence of an order', response: receiptView },
  },
  {
    method: 'POST',
    path: '/api/ap2/carts',
    endpoint: postCart,
    docs: {
      tag: 'Payments',
      summary: 'Have a cart signed',
      response: signedCart,
      problems: ['cart_refused', 'forbidden'],
    },
  },
  {
    method: 'POST',
    path: '/api/ap2/verify',
    endpoint: postVerify,
    docs: { tag: 'Payments', summary: 'Verify a mandate', response: mandateVerdict },
  },
  {
    method: 'POST',
    path: '/api/ap2/claim',
    endpoint: postClaim,
    docs: { tag: 'Payments', summary: 'Take an order, or refuse it', response: mandateVerdict, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/payments/settings',
    endpoint: getSettings,
    docs: { tag: 'Payments', summary: 'Read your payment limit', response: paymentSettingsSchema },
  },
  {
    method: 'PUT',
    path: '/api/payments/settings',
    endpoint: putSettings,
    docs: {
      tag: 'Payments',
      summary: 'Set your payment limit',
      response: paymentSettingsSchema,
      problems: ['sign_in_again', 'passkey_refused'],
    },
  },
];
