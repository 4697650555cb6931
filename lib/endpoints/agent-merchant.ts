import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { getMerchant, setMerchant } from '../payments';
import { merchantSchema } from '../payments/schema';

/** `GET /api/agents/{slug}/merchant`: how one's own agent sells. */
export const getAgentMerchant: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, params: { slug = '' } }) => getMerchant({ ctx, input: { slug } }),
});

/** `PUT /api/agents/{slug}/merchant`: sets it, and pins its keys. */
export const putAgentMerchant: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: merchantSchema,
  handle: ({ ctx, input, params: { slug = '' } }) => setMerchant({ ctx, input: { ...input, slug } }),
});
