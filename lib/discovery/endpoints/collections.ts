import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { undocumented } from '../../http/routes/json-route';
import {
  addAgentToCollection,
  changeCollection,
  createCollection,
  deleteOwnCollection,
  getCollection,
  listCollections,
  removeAgentFromCollection,
} from '..';
import {
  collectionChangeSchema,
  collectionInputSchema,
  collectionSchema,
  collectionSummarySchema,
  collectionsSchema,
} from '../schema-collections';

export const getCollections = endpoint({
  method: 'GET',
  path: '/api/collections',
  reads: 'replica',
  auth: 'anyone',
  query: z.object({ agent: z.string().optional().meta(undocumented) }),
  response: collectionsSchema,
  docs: {
    tag: 'Agents',
    summary: 'List collections',
    description:
      'Public collections, recommended ones first, and your own. With the slug of an agent in `agent`, `holds` says which of your collections contain it.',
  },
  handle: ({ ctx, query }) => listCollections({ ctx, input: query }),
});

export const postCollection = endpoint({
  method: 'POST',
  path: '/api/collections',
  auth: { scope: 'agents:write' },
  body: collectionInputSchema,
  response: collectionSummarySchema,
  status: 201,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Create a collection' },
  handle: async ({ ctx, input }) => {
    const collection = await createCollection({ ctx, input });
    return jsonResponse(collection, { status: 201, headers: { location: `/api/collections/${collection.id}` } });
  },
});

export const getOneCollection = endpoint({
  method: 'GET',
  path: '/api/collections/:id',
  reads: 'replica',
  auth: 'anyone',
  hasEtag: true,
  response: collectionSchema,
  errors: ['not_found'],
  docs: { tag: 'Agents', summary: 'Get a collection with its agents' },
  handle: ({ ctx, params }) => getCollection({ ctx, input: { id: params.id ?? '' } }),
});

export const patchCollection = endpoint({
  method: 'PATCH',
  path: '/api/collections/:id',
  auth: { scope: 'agents:write' },
  body: collectionChangeSchema,
  response: collectionSummarySchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Agents', summary: 'Update a collection' },
  handle: ({ ctx, input, params }) => changeCollection({ ctx, input: { ...input, id: params.id ?? '' } }),
});

export const deleteCollection = endpoint({
  method: 'DELETE',
  path: '/api/collections/:id',
  auth: { scope: 'agents:write' },
  errors: ['not_found'],
  docs: { tag: 'Agents', summary: 'Delete a collection' },
  handle: async ({ ctx, params }) => {
    await deleteOwnCollection({ ctx, input: { id: params.id ?? '' } });
    return undefined;
  },
});

export const putCollectedAgent = endpoint({
  method: 'PUT',
  path: '/api/collections/:id/agents/:slug',
  auth: { scope: 'agents:write' },
  errors: ['not_found', 'gone', 'conflict'],
  docs: { tag: 'Agents', summary: 'Add an agent to a collection' },
  handle: async ({ ctx, params }) => {
    await addAgentToCollection({ ctx, input: { id: params.id ?? '', slug: params.slug ?? '' } });
    return undefined;
  },
});

export const deleteCollectedAgent = endpoint({
  method: 'DELETE',
  path: '/api/collections/:id/agents/:slug',
  auth: { scope: 'agents:write' },
  errors: ['not_found'],
  docs: { tag: 'Agents', summary: 'Remove an agent from a collection' },
  handle: async ({ ctx, params }) => {
    await removeAgentFromCollection({ ctx, input: { id: params.id ?? '', slug: params.slug ?? '' } });
    return undefined;
  },
});
