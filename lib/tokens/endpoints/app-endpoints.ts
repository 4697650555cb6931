import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { listOf } from '../../platform/schema';
import { addAppSecret, createApp, listApps, removeAppSecret, setRedirectUris } from '..';
import {
  addAppSecretSchema,
  appViewSchema,
  createAppSchema,
  newClientSecretSchema,
  setRedirectUrisSchema,
} from '../schema';

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
