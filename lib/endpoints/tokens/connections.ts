import { listOf } from '../../platform/schema';
import { listConnections, revokeConnection } from '../../tokens';
import { connectionViewSchema } from '../../tokens/schema-connections';
import { endpoint } from '../endpoint';

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
