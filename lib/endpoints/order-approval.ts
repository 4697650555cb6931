import type { Endpoint } from '../http/endpoint';
import { idempotencyKeyOf } from '../http/idempotency-key';
import { respond } from '../http/respond';
import { jsonRoute } from '../http/routes/json-route';
import { approveOrder, declineOrder, getReceipt, reviewOrder } from '../payments';
import { approveSchema } from '../payments/schema';

/** `POST /api/orders/{id}/review`: all that is looked at before an order is approved. */
export const postReview: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  handle: ({ ctx, params: { id = '' } }) => reviewOrder({ ctx, input: { id } }),
});

/** `POST /api/orders/{id}/approve`: approves what was reviewed; needs an `Idempotency-Key`. */
export const postApprove: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  body: approveSchema,
  handle: async ({ ctx, input, params: { id = '' }, request }) => {
    const idempotencyKey = idempotencyKeyOf(request);
    const { status, body, replayed } = await approveOrder({ ctx, input: { ...input, id, idempotencyKey } });
    return respond(status, body, {
      'content-type': 'application/json',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
  },
});

/** `POST /api/orders/{id}/decline`: declines an offer. */
export const postDecline: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  handle: ({ ctx, params: { id = '' } }) => declineOrder({ ctx, input: { id } }),
});

/** `GET /api/orders/{id}/receipt`: what proves the payment. */
export const getOrderReceipt: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  handle: ({ ctx, params: { id = '' } }) => getReceipt({ ctx, input: { id } }),
});
