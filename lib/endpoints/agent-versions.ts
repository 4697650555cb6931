import { listCardVersions } from '../catalog';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/agents/{slug}/cards`: the cards that it was listed with, and what each changed. */
export const getCardVersions: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: async ({ ctx, params }) => ({ items: await listCardVersions({ ctx, input: { slug: params.slug ?? '' } }) }),
});
