import { endpoint } from '../../http/endpoint';
import { oauthRoute } from '../../http/routes/oauth-route';
import { deviceAuthorizationSchema } from '../../protocol/oauth/authorization-server';
import { checkDeviceCode, DEVICE_LIMIT, decideDeviceRequest, startDeviceSignIn } from '..';
import { deviceCheckSchema, deviceDecisionSchema, deviceRequestViewSchema } from '../schema';

/** Device authorization (RFC 8628 §3.1). */
export const postDevice = endpoint({
  method: 'POST',
  path: '/api/auth/device',
  response: deviceAuthorizationSchema,
  docs: { tag: 'Tokens', summary: 'Start a device sign-in (RFC 8628)' },
  serve: oauthRoute({
    parameters: ['scope'],
    clients: 'all',
    limit: DEVICE_LIMIT,
    handle: ({ ctx, form: { scope }, address, request }) =>
      startDeviceSignIn({ ctx, input: { scope, address, userAgent: request.headers.get('user-agent') ?? '' } }),
  }),
});

export const postDeviceCheck = endpoint({
  method: 'POST',
  path: '/api/auth/device/check',
  auth: 'session',
  body: deviceCheckSchema,
  response: deviceRequestViewSchema,
  errors: ['not_found'],
  docs: { tag: 'Tokens', summary: 'Get a device’s pending request' },
  handle: ({ ctx, input, address }) => checkDeviceCode({ ctx, input: { ...input, address } }),
});

export const postDeviceDecision = endpoint({
  method: 'POST',
  path: '/api/auth/device/decide',
  auth: 'session',
  body: deviceDecisionSchema,
  errors: ['not_found', 'sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: { tag: 'Tokens', summary: 'Approve or deny a device' },
  handle: async ({ ctx, input, address }) => {
    await decideDeviceRequest({ ctx, input: { ...input, address } });
    return undefined;
  },
});
