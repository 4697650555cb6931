import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { listGrants, removeGrant, setGrant } from '../tokens';
import { setGrantSchema } from '../tokens/schema';

/** `GET /api/grants`: the agents that the person has used, and what each may see and do. */
export const getGrants: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listGrants({ ctx }) }),
});

/** `PUT /api/grants/{slug}`: sets what one agent may see and do; 204. */
export const putGrant: Endpoint = jsonRoute({
  auth: 'session',
  body: setGrantSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await setGrant({ ctx, input: { ...input, slug } });
    return undefined;
  },
});

/** `DELETE /api/grants/{slug}`: takes everything back and forgets the agent; 204. */
export const deleteGrant: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { slug = '' } }) => {
    await removeGrant({ ctx, input: { slug } });
    return undefined;
  },
});
