import { endpoint } from '../../http/endpoint';
import { listOf } from '../../platform/schema';
import { listConnections, revokeConnection } from '..';
import { connectionViewSchema } from '../schema-connections';

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
