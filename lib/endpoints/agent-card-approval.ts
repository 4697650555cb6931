import { approveCardUpdate } from '../catalog';
import { cardDecisionSchema } from '../catalog/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `POST /api/agents/{slug}/card/accept`: takes the card that waits for its owner's word. */
export const postApproveCard: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: cardDecisionSchema,
  handle: ({ ctx, input, params }) => approveCardUpdate({ ctx, input: { ...input, slug: params.slug ?? '' } }),
});
