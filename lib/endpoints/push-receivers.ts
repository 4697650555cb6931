import { deletePushReceiver, listPushReceivers } from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/push/receivers`: where updates of the person's tasks are pushed to. */
export const getPushReceivers: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx }) => listPushReceivers({ ctx }),
});

/** `DELETE /api/push/receivers/{id}`: sends nothing more there. */
export const removePushReceiver: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await deletePushReceiver({ ctx, input: { id } });
    return undefined;
  },
});
