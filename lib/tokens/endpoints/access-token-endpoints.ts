import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { listOf } from '../../platform/schema';
import {
  createAccessToken,
  listAccessTokens,
  listConnections,
  listGrants,
  removeGrant,
  revokeAccessToken,
  revokeConnection,
  setGrant,
} from '..';
import {
  accessTokenViewSchema,
  agentGrantViewSchema,
  createAccessTokenSchema,
  newAccessTokenSchema,
  setGrantSchema,
} from '../schema';
import { connectionViewSchema } from '../schema-connections';

export const getAccessTokens = endpoint({
  method: 'GET',
  path: '/api/auth/access-tokens',
  auth: 'session',
  response: listOf(accessTokenViewSchema),
  docs: { tag: 'Tokens', summary: 'List your access tokens and devices' },
  handle: async ({ ctx }) => ({ items: await listAccessTokens({ ctx }) }),
});

export const postAccessToken = endpoint({
  method: 'POST',
  path: '/api/auth/access-tokens',
  auth: 'session',
  body: createAccessTokenSchema,
  response: newAccessTokenSchema,
  status: 201,
  errors: ['conflict', 'sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Tokens', summary: 'Create an access token', description: 'The token is returned only once.' },
  handle: async ({ ctx, input }) => jsonResponse(await createAccessToken({ ctx, input }), { status: 201 }),
});

export const deleteAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/auth/access-tokens/:id',
  auth: 'session',
  docs: { tag: 'Tokens', summary: 'Revoke an access token' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await revokeAccessToken({ ctx, input: { id } });
    return undefined;
  },
});

export const getGrants = endpoint({
  method: 'GET',
  path: '/api/grants',
  auth: 'session',
  response: listOf(agentGrantViewSchema),
  docs: { tag: 'Tokens', summary: 'List your connected agents and their permissions' },
  handle: async ({ ctx }) => ({ items: await listGrants({ ctx }) }),
});

export const putGrant = endpoint({
  method: 'PUT',
  path: '/api/grants/:slug',
  auth: 'session',
  body: setGrantSchema,
  response: agentGrantViewSchema,
  docs: { tag: 'Tokens', summary: 'Update the permissions of an agent' },
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await setGrant({ ctx, input: { ...input, slug } });
    return undefined;
  },
});

export const deleteGrant = endpoint({
  method: 'DELETE',
  path: '/api/grants/:slug',
  auth: 'session',
  docs: { tag: 'Tokens', summary: 'Disconnect an agent' },
  handle: async ({ ctx, params: { slug = '' } }) => {
    await removeGrant({ ctx, input: { slug } });
    return undefined;
  },
});

export const getConnections = endpoint({
  method: 'GET',
  path: '/api/connections',
  auth: 'session',
  response: listOf(connectionViewSchema),
  docs: { tag: 'Tokens', summary: 'List your connected apps' },
  handle: async ({ ctx }) => ({ items: await listConnections({ ctx }) }),
});

export const deleteConnection = endpoint({
  method: 'DELETE',
  path: '/api/connections/:id',
  auth: 'session',
  docs: { tag: 'Tokens', summary: 'Disconnect an app', description: 'All of its tokens end.' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await revokeConnection({ ctx, input: { id } });
    return undefined;
  },
});
