import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { createApp, listApps } from '../tokens';
import { createAppSchema } from '../tokens/schema';

/** `GET /api/apps` */
export const getApps: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: async ({ ctx }) => ({ items: await listApps({ ctx }) }),
});

/** `POST /api/apps`: 201 with the client secret, which is shown this once. */
export const postApp: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: createAppSchema,
  handle: async ({ ctx, input }) => Response.json(await createApp({ ctx, input }), { status: 201 }),
});
