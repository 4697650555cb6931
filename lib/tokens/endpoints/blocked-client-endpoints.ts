import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { listOf } from '../../platform/schema';
import { blockClient, listBlockedClients, unblockClient } from '..';
import { blockClientSchema, blockedClientViewSchema } from '../schema-oauth-clients';

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
