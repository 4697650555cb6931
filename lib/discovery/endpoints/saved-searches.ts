import { endpoint } from '../../http/endpoint';
import { jsonResponse, respond } from '../../http/respond';
import { listOf } from '../../platform/schema';
import {
  changeSavedSearch,
  deleteOwnSavedSearch,
  endFeed,
  listSavedSearches,
  renderSavedSearchFeed,
  renewFeed,
  saveSearch,
} from '..';
import {
  createdSavedSearchSchema,
  feedUrlSchema,
  savedSearchChangeSchema,
  savedSearchInputSchema,
  savedSearchSchema,
} from '../schema-saved-searches';

export const getSavedSearches = endpoint({
  method: 'GET',
  path: '/api/saved-searches',
  auth: 'session',
  response: listOf(savedSearchSchema),
  docs: { tag: 'Account', summary: 'List your saved searches' },
  handle: async ({ ctx }) => ({ items: await listSavedSearches({ ctx }) }),
});

export const postSavedSearch = endpoint({
  method: 'POST',
  path: '/api/saved-searches',
  auth: 'session',
  body: savedSearchInputSchema,
  response: createdSavedSearchSchema,
  status: 201,
  errors: ['conflict'],
  docs: {
    tag: 'Account',
    summary: 'Save a search',
    description: 'New matches are emailed at most once a day, added to a private feed, or both.',
  },
  handle: async ({ ctx, input }) => jsonResponse(await saveSearch({ ctx, input }), { status: 201 }),
});

export const patchSavedSearch = endpoint({
  method: 'PATCH',
  path: '/api/saved-searches/:id',
  auth: 'session',
  body: savedSearchChangeSchema,
  response: savedSearchSchema,
  errors: ['not_found'],
  docs: { tag: 'Account', summary: 'Update a saved search', description: 'With another query, matching starts again.' },
  handle: ({ ctx, input, params }) => changeSavedSearch({ ctx, input: { ...input, id: params.id ?? '' } }),
});

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/api/saved-searches/:id',
  auth: 'session',
  errors: ['not_found'],
  docs: { tag: 'Account', summary: 'Delete a saved search' },
  handle: async ({ ctx, params }) => {
    await deleteOwnSavedSearch({ ctx, input: { id: params.id ?? '' } });
    return undefined;
  },
});

export const postSavedSearchFeed = endpoint({
  method: 'POST',
  path: '/api/saved-searches/:id/feed',
  auth: 'session',
  response: feedUrlSchema,
  errors: ['not_found'],
  docs: {
    tag: 'Account',
    summary: 'Create a feed with a new URL for a saved search',
    description: 'An earlier URL stops working.',
  },
  handle: ({ ctx, params }) => renewFeed({ ctx, input: { id: params.id ?? '' } }),
});

export const deleteSavedSearchFeed = endpoint({
  method: 'DELETE',
  path: '/api/saved-searches/:id/feed',
  auth: 'session',
  errors: ['not_found'],
  docs: { tag: 'Account', summary: 'Delete the feed of a saved search' },
  handle: async ({ ctx, params }) => {
    await endFeed({ ctx, input: { id: params.id ?? '' } });
    return undefined;
  },
});

export const savedSearchFeed = endpoint({
  method: 'GET',
  path: '/api/saved-searches/feeds/:token',
  auth: 'anyone',
  mediaType: 'application/atom+xml',
  errors: ['not_found'],
  docs: {
    tag: 'Account',
    summary: 'Get the feed of a saved search',
    description: 'Atom. The URL is secret; no sign-in is required.',
  },
  handle: async ({ params }) =>
    respond(200, await renderSavedSearchFeed({ input: { token: params.token ?? '' } }), {
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    }),
});
