import {
  addAgentToCollection,
  changeCollection,
  createCollection,
  deleteOwnCollection,
  getCollection,
  listCollections,
  removeAgentFromCollection,
} from '../discovery';
import { collectionChangeSchema, collectionInputSchema } from '../discovery/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/collections`: those that everybody sees, and one's own; `agent` tells which of these hold it. */
export const getCollections: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ ctx, url }) => listCollections({ ctx, input: { agent: url.searchParams.get('agent') ?? undefined } }),
});

/** `POST /api/collections`: a new, empty one. */
export const postCollection: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: collectionInputSchema,
  handle: async ({ ctx, input }) => {
    const collection = await createCollection({ ctx, input });
    return Response.json(collection, { status: 201, headers: { location: `/api/collections/${collection.id}` } });
  },
});

/** `GET /api/collections/{id}`: one with its agents. */
export const getOneCollection: Endpoint = jsonRoute({
  auth: 'anyone',
  hasEtag: true,
  handle: ({ ctx, params }) => getCollection({ ctx, input: { id: params.id ?? '' } }),
});

/** `PATCH /api/collections/{id}`: title, description, visibility; for admins whether it is recommended. */
export const patchCollection: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: collectionChangeSchema,
  handle: ({ ctx, input, params }) => changeCollection({ ctx, input: { ...input, id: params.id ?? '' } }),
});

/** `DELETE /api/collections/{id}`. */
export const deleteCollection: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params }) => {
    await deleteOwnCollection({ ctx, input: { id: params.id ?? '' } });
    return undefined;
  },
});

/** `PUT /api/collections/{id}/agents/{slug}`. */
export const putCollectedAgent: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params }) => {
    await addAgentToCollection({ ctx, input: { id: params.id ?? '', slug: params.slug ?? '' } });
    return undefined;
  },
});

/** `DELETE /api/collections/{id}/agents/{slug}`. */
export const deleteCollectedAgent: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params }) => {
    await removeAgentFromCollection({ ctx, input: { id: params.id ?? '', slug: params.slug ?? '' } });
    return undefined;
  },
});
