import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { oauthRoute } from '../http/routes/oauth-route';
import { checkDeviceCode, DEVICE_LIMIT, decideDeviceRequest, startDeviceSignIn } from '../tokens';
import { deviceCheckSchema, deviceDecisionSchema } from '../tokens/schema';

/** `POST /api/auth/device` (RFC 8628 §3.1) */
export const postDevice: Endpoint = oauthRoute({
  parameters: ['scope'],
  clients: 'all',
  limit: DEVICE_LIMIT,
  handle: ({ ctx, form: { scope }, address, request }) =>
    startDeviceSignIn({ ctx, input: { scope, address, userAgent: request.headers.get('user-agent') ?? '' } }),
});

/** `POST /api/auth/device/check`: what the device with a code asks for, for the page where the code is typed. */
export const postDeviceCheck: Endpoint = jsonRoute({
  auth: 'session',
  body: deviceCheckSchema,
  handle: ({ ctx, input, address }) => checkDeviceCode({ ctx, input: { ...input, address } }),
});

/** `POST /api/auth/device/decide`: lets that device in or turns it away; 204. */
export const postDeviceDecision: Endpoint = jsonRoute({
  auth: 'session',
  body: deviceDecisionSchema,
  handle: async ({ ctx, input, address }) => {
    await decideDeviceRequest({ ctx, input: { ...input, address } });
    return undefined;
  },
});
