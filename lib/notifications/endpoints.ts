import { endpoint } from '../http/endpoint';
import { jsonResponse } from '../http/respond';
import { getWebPush, markSeen, removeDevice, subscribeDevice, updateWebPush } from '.';
import { seenInput, subscriptionInput, webPushDeviceSchema, webPushSettingsInput, webPushViewSchema } from './schema';

const getSettings = endpoint({
  method: 'GET',
  path: '/api/web-push',
  auth: 'session',
  response: webPushViewSchema,
  docs: { tag: 'Account', summary: 'Get your notification settings and devices' },
  handle: getWebPush,
});

const putSettings = endpoint({
  method: 'PUT',
  path: '/api/web-push',
  auth: 'session',
  body: webPushSettingsInput,
  docs: {
    tag: 'Account',
    summary: 'Update your notification settings',
    description: 'They apply to all devices. Omitted members stay unchanged.',
  },
  handle: async ({ ctx, input }) => {
    await updateWebPush({ ctx, input });
  },
});

const postDevice = endpoint({
  method: 'POST',
  path: '/api/web-push/devices',
  auth: 'session',
  body: subscriptionInput,
  response: webPushDeviceSchema,
  status: 201,
  errors: ['url_refused', 'conflict'],
  docs: {
    tag: 'Account',
    summary: 'Subscribe this browser to notifications',
    description: 'Web Push (RFC 8030). The subscription ends with the session.',
  },
  handle: async ({ ctx, input }) => jsonResponse(await subscribeDevice({ ctx, input }), { status: 201 }),
});

const deleteDevice = endpoint({
  method: 'DELETE',
  path: '/api/web-push/devices/:id',
  auth: 'session',
  docs: { tag: 'Account', summary: 'Remove a device' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await removeDevice({ ctx, input: { id } });
  },
});

const postSeen = endpoint({
  method: 'POST',
  path: '/api/web-push/seen',
  auth: 'session',
  body: seenInput,
  docs: {
    tag: 'Account',
    summary: 'Report that a page shows the end of a conversation',
    description: 'No device is notified of what the page shows.',
  },
  handle: async ({ ctx, input }) => {
    await markSeen({ ctx, input });
  },
});

export const notificationsEndpoints = [getSettings, putSettings, postDevice, deleteDevice, postSeen];
