import { endpoint } from '../../http/endpoint';
import { idempotencyKeyOf } from '../../http/request-headers';
import { respond } from '../../http/respond';
import { approveOrder, declineOrder, getOrder, getReceipt, requestRefund, reviewOrder } from '..';
import { orderDetailSchema, orderSchema, receiptSchema, refundRequestSchema } from '../schema';
import { approveSchema, reviewSchema } from '../schema-approvals';

export const getOneOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:id',
  auth: { scope: 'pay' },
  response: orderDetailSchema,
  docs: { tag: 'Payments', summary: 'Get an order' },
  handle: ({ ctx, params: { id = '' } }) => getOrder({ ctx, input: { id } }),
});

export const postRefundRequest = endpoint({
  method: 'POST',
  path: '/api/orders/:id/refund',
  auth: { scope: 'pay' },
  body: refundRequestSchema,
  response: orderSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Request a refund' },
  handle: ({ ctx, input, params: { id = '' } }) => requestRefund({ ctx, input: { ...input, id } }),
});

export const postReview = endpoint({
  method: 'POST',
  path: '/api/orders/:id/review',
  auth: { scope: 'pay' },
  response: reviewSchema,
  errors: ['cart_refused', 'conflict'],
  docs: { tag: 'Payments', summary: 'Get the offer to approve' },
  handle: ({ ctx, params: { id = '' } }) => reviewOrder({ ctx, input: { id } }),
});

/** Approves an order. Requires an `Idempotency-Key`. */
export const postApprove = endpoint({
  method: 'POST',
  path: '/api/orders/:id/approve',
  auth: { scope: 'pay' },
  body: approveSchema,
  response: orderSchema,
  errors: [
    'sign_in_again',
    'passkey_required',
    'passkey_refused',
    'amount_mismatch',
    'spending_limit_exceeded',
    'cart_refused',
    'idempotency_key_missing',
    'idempotency_mismatch',
    'idempotency_in_flight',
    'conflict',
  ],
  docs: { tag: 'Payments', summary: 'Pay an order' },
  handle: async ({ ctx, input, params: { id = '' }, request }) => {
    const idempotencyKey = idempotencyKeyOf(request);
    const { status, body, replayed } = await approveOrder({ ctx, input: { ...input, id, idempotencyKey } });
    return respond(status, body, {
      'content-type': 'application/json',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
  },
});

export const postDecline = endpoint({
  method: 'POST',
  path: '/api/orders/:id/decline',
  auth: { scope: 'pay' },
  response: orderSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Decline an order' },
  handle: ({ ctx, params: { id = '' } }) => declineOrder({ ctx, input: { id } }),
});

export const getOrderReceipt = endpoint({
  method: 'GET',
  path: '/api/orders/:id/receipt',
  auth: { scope: 'pay' },
  response: receiptSchema,
  docs: { tag: 'Payments', summary: 'Get the proof of payment of an order' },
  handle: ({ ctx, params: { id = '' } }) => getReceipt({ ctx, input: { id } }),
});
