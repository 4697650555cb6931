import { paymentSettingsSchema } from '../../payments/schema';
import { getAgentMerchant, putAgentMerchant } from '../agent-merchant';
import { orderView, receiptView, reviewView } from '../answers/orders';
import { mandateVerdict, merchantView, signedCart } from '../answers/payments';
import { postCart, postClaim, postVerify } from '../ap2';
import { getOrderReceipt, postApprove, postDecline, postReview } from '../order-approval';
import { getSettings, putSettings } from '../payment-settings';
import type { Row } from '../row';

export const approvalRows: Row[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/merchant',
    endpoint: getAgentMerchant,
    about: { part: 'Payments', summary: 'Read how your agent sells', answer: merchantView },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/merchant',
    endpoint: putAgentMerchant,
    about: { part: 'Payments', summary: 'Say how your agent sells', answer: merchantView },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/review',
    endpoint: postReview,
    about: {
      part: 'Payments',
      summary: 'Read what is to be approved',
      answer: reviewView,
      problems: ['cart_refused', 'conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/orders/:id/approve',
    endpoint: postApprove,
    about: {
      part: 'Payments',
      summary: 'Pay an order',
      answer: orderView,
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
    about: { part: 'Payments', summary: 'Decline an order', answer: orderView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/orders/:id/receipt',
    endpoint: getOrderReceipt,
    about: { part: 'Payments', summary: 'Read the evidence of an order', answer: receiptView },
  },
  {
    method: 'POST',
    path: '/api/ap2/carts',
    endpoint: postCart,
    about: {
      part: 'Payments',
      summary: 'Have a cart signed',
      answer: signedCart,
      problems: ['cart_refused', 'forbidden'],
    },
  },
  {
    method: 'POST',
    path: '/api/ap2/verify',
    endpoint: postVerify,
    about: { part: 'Payments', summary: 'Verify a mandate', answer: mandateVerdict },
  },
  {
    method: 'POST',
    path: '/api/ap2/claim',
    endpoint: postClaim,
    about: { part: 'Payments', summary: 'Take an order, or refuse it', answer: mandateVerdict, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/payments/settings',
    endpoint: getSettings,
    about: { part: 'Payments', summary: 'Read your payment limit', answer: paymentSettingsSchema },
  },
  {
    method: 'PUT',
    path: '/api/payments/settings',
    endpoint: putSettings,
    about: {
      part: 'Payments',
      summary: 'Set your payment limit',
      answer: paymentSettingsSchema,
      problems: ['sign_in_again', 'passkey_refused'],
    },
  },
];
