import { getPublishingChecklist } from '../console';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/agents/{slug}/checklist`: what makes a listing complete, and whether it is found. */
export const getChecklist: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, params: { slug = '' } }) => getPublishingChecklist({ ctx, input: { slug } }),
});
