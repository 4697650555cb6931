import { getPushOverview } from '../console';
import { recoveryInputSchema } from '../console/schema';
import { recoverPushes, resendPush } from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/push/deliveries`: receivers that fail now with their next try, and what nobody took. */
export const getPushes: Endpoint = jsonRoute({ auth: { scope: 'agents:read' }, handle: getPushOverview });

/** `POST /api/push/dead-letters/{id}/resend`: sends one again, and says what the receiver answered. */
export const postPushResend: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: ({ ctx, params: { id = '' } }) => resendPush({ ctx, input: { id } }),
});

/** `POST /api/push/dead-letters/recover`: sends those of a time again. */
export const postPushRecovery: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: recoveryInputSchema,
  handle: ({ ctx, input }) => recoverPushes({ ctx, input: { from: new Date(input.from), to: new Date(input.to) } }),
});
