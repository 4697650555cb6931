import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { listOf } from '../../platform/schema';
import {
  addAppSecret,
  blockClient,
  createApp,
  listApps,
  listBlockedClients,
  removeAppSecret,
  setRedirectUris,
  unblockClient,
} from '..';
import {
  addAppSecretSchema,
  appViewSchema,
  createAppSchema,
  newClientSecretSchema,
  setRedirectUrisSchema,
} from '../schema';
import { blockClientSchema, blockedClientViewSchema } from '../schema-connections';

export const getApps = endpoint({
  method: 'GET',
  path: '/api/apps',
  auth: { scope: 'agents:read' },
  response: listOf(appViewSchema),
  docs: { tag: 'Apps', summary: 'List your apps' },
  handle: async ({ ctx }) => ({ items: await listApps({ ctx }) }),
});

export const postApp = endpoint({
  method: 'POST',
  path: '/api/apps',
  auth: { scope: 'agents:write' },
  body: createAppSchema,
  response: newClientSecretSchema,
  status: 201,
  errors: ['conflict'],
  docs: { tag: 'Apps', summary: 'Create an app', description: 'The secret is returned only once.' },
  handle: async ({ ctx, input }) => jsonResponse(await createApp({ ctx, input }), { status: 201 }),
});

export const putRedirectUris = endpoint({
  method: 'PUT',
  path: '/api/apps/:id/redirect-uris',
  auth: { scope: 'agents:write' },
  body: setRedirectUrisSchema,
  response: appViewSchema,
  docs: { tag: 'Apps', summary: 'Set the redirect URIs of an app' },
  handle: ({ ctx, input, params: { id = '' } }) => setRedirectUris({ ctx, input: { ...input, appId: id } }),
});

export const postAppSecret = endpoint({
  method: 'POST',
  path: '/api/apps/:id/secrets',
  auth: { scope: 'agents:write' },
  body: addAppSecretSchema,
  allowsEmptyBody: true,
  response: newClientSecretSchema,
  status: 201,
  errors: ['conflict'],
  docs: { tag: 'Apps', summary: 'Add or rotate a secret' },
  handle: async ({ ctx, input, params: { id = '' } }) =>
    jsonResponse(await addAppSecret({ ctx, input: { ...input, appId: id } }), { status: 201 }),
});

export const deleteAppSecret = endpoint({
  method: 'DELETE',
  path: '/api/apps/:id/secrets/:secretId',
  auth: { scope: 'agents:write' },
  docs: { tag: 'Apps', summary: 'Remove a secret' },
  handle: async ({ ctx, params: { id = '', secretId = '' } }) => {
    await removeAppSecret({ ctx, input: { appId: id, secretId } });
    return undefined;
  },
});

const forModerators = 'Only for moderators who signed in within the last 15 minutes; returns 404 for everyone else.';

export const getBlockedClients = endpoint({
  method: 'GET',
  path: '/api/moderation/blocked-clients',
  auth: 'anyone',
  response: listOf(blockedClientViewSchema),
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'List blocked clients', description: forModerators },
  handle: async ({ ctx }) => ({ items: await listBlockedClients({ ctx }) }),
});

export const postBlockedClient = endpoint({
  method: 'POST',
  path: '/api/moderation/blocked-clients',
  auth: 'anyone',
  body: blockClientSchema,
  response: blockedClientViewSchema,
  status: 201,
  errors: ['not_found', 'sign_in_again', 'conflict'],
  docs: { tag: 'Moderation', summary: 'Block a client', description: forModerators },
  handle: async ({ ctx, input }) => jsonResponse(await blockClient({ ctx, input }), { status: 201 }),
});

export const deleteBlockedClient = endpoint({
  method: 'DELETE',
  path: '/api/moderation/blocked-clients/:id',
  auth: 'anyone',
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'Unblock a client', description: forModerators },
  handle: async ({ ctx, params: { id = '' } }) => {
    await unblockClient({ ctx, input: { id } });
    return undefined;
  },
});
