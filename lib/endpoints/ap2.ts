import type { Endpoint } from '../http/endpoint';
import { clientCredentialsRoute } from '../http/routes/client-credentials-route';
import { acknowledgeMandate, authorizeCart, MERCHANT_LIMIT, verifyMandate } from '../payments';
import { cartToSignSchema, claimSchema, mandateSchema } from '../payments/schema';

/** `POST /api/ap2/carts`: Parley signs a cart for a listing that has opted in. */
export const postCart: Endpoint = clientCredentialsRoute({
  body: cartToSignSchema,
  limit: MERCHANT_LIMIT,
  handle: authorizeCart,
});

/** `POST /api/ap2/verify`: whether a mandate that an agent got is good, for agents that verify nothing themselves. */
export const postVerify: Endpoint = clientCredentialsRoute({
  body: mandateSchema,
  limit: MERCHANT_LIMIT,
  handle: verifyMandate,
});

/** `POST /api/ap2/claim`: the merchant takes the order, or does not want it; once. */
export const postClaim: Endpoint = clientCredentialsRoute({
  body: claimSchema,
  limit: MERCHANT_LIMIT,
  handle: acknowledgeMandate,
});
