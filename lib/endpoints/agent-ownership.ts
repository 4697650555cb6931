import { checkOwnership, getOwnership } from '../catalog';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/agents/{slug}/ownership`: what to publish, and how it stands. */
export const getAgentOwnership: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, params }) => getOwnership({ ctx, input: { slug: params.slug ?? '' } }),
});

/** `POST /api/agents/{slug}/ownership`: looks for the proof now. */
export const postAgentOwnership: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: ({ ctx, params }) => checkOwnership({ ctx, input: { slug: params.slug ?? '' } }),
});
