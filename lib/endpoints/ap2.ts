import { clientRoute } from '../http/client-route';
import type { Endpoint } from '../http/endpoint';
import { authorizeCart, claimOrder, MERCHANT_LIMIT, verifyMandate } from '../payments';
import { cartToSignSchema, claimSchema, mandateSchema } from '../payments/schema';

/** `POST /api/ap2/carts`: Parley signs a cart for a listing that has opted in. */
export const postCart: Endpoint = clientRoute({ body: cartToSignSchema, limit: MERCHANT_LIMIT, handle: authorizeCart });

/** `POST /api/ap2/verify`: whether a mandate that an agent got is good, for agents that verify nothing themselves. */
export const postVerify: Endpoint = clientRoute({ body: mandateSchema, limit: MERCHANT_LIMIT, handle: verifyMandate });

/** `POST /api/ap2/claim`: the merchant takes the order, or does not want it; once. */
export const postClaim: Endpoint = clientRoute({ body: claimSchema, limit: MERCHANT_LIMIT, handle: claimOrder });
