import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { getWallet, topUpWallet } from '../payments';
import { topUpSchema } from '../payments/schema';

/** `GET /api/wallet`: what it holds, and its latest movements. */
export const getOwnWallet: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  handle: ({ ctx }) => getWallet({ ctx }),
});

/** `POST /api/wallet/top-ups`: puts money in, by card where there is a card processor. */
export const postTopUp: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  body: topUpSchema,
  handle: ({ ctx, input }) => topUpWallet({ ctx, input }),
});
