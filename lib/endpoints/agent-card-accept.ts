import { acceptCard } from '../catalog';
import { acceptInputSchema } from '../catalog/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/json-route';

/** `POST /api/agents/{slug}/card/accept`: takes the card that waits for its owner's word. */
export const postAcceptCard: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: acceptInputSchema,
  handle: ({ ctx, input, params }) => acceptCard({ ctx, input: { ...input, slug: params.slug ?? '' } }),
});
