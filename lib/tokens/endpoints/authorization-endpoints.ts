import { z } from 'zod';
import { actorOf } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { HttpRequest, HttpResponse } from '../../http/handler';
import { mediaTypeOf, readFormText, requestIdOf, resourceOf } from '../../http/request';
import { jsonResponse, seeOther } from '../../http/respond';
import { oauthRoute } from '../../http/routes/oauth-route';
import { authorize } from '../../identity';
import { ParleyError } from '../../platform/errors';
import { deviceAuthorizationSchema } from '../../protocol/oauth/authorization-server';
import { readParameters } from '../../protocol/oauth/requests';
import {
  checkDeviceCode,
  DEVICE_LIMIT,
  decideAuthorization,
  decideDeviceRequest,
  registerClient,
  startDeviceSignIn,
} from '..';
import { deviceCheckSchema, deviceDecisionSchema, deviceRequestViewSchema } from '../schema';
import { registeredClientSchema } from '../schema-connections';

/**
 * Handles the form of the consent page, which contains the parameters of the authorization request and the decision.
 * Like every write with the session cookie, it requires our own `Origin`, so that no other page can submit a decision.
 */
async function serve(request: HttpRequest): Promise<HttpResponse> {
  const requestId = requestIdOf(request);
  try {
    const now = new Date();
    const actor = await actorOf(request, now);
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
      throw new ParleyError('unsupported_media_type', 'Expected Content-Type application/x-www-form-urlencoded.');
    }
    const parameters = await readFormText(request);
    if (actor.kind === 'anonymous' && accepts(request, 'text/html')) return backToPage(parameters, requestId);
    authorize(actor, 'session');
    const ctx = { actor, requestId, signal: request.signal, now };
    const { redirectTo } = await decideAuthorization({ ctx, input: { parameters, allow: isAllowed(parameters) } });
    const headers = { 'cache-control': 'no-store', 'x-request-id': requestId };
    if (accepts(request, 'application/json')) return jsonResponse({ redirectTo }, { headers });
    return seeOther(redirectTo, headers);
  } catch (error) {
    return problemOf(error, requestId, resourceOf(request));
  }
}

function accepts(request: HttpRequest, type: string): boolean {
  return (request.headers.get('accept') ?? '').includes(type);
}

/** Redirects to the page, which asks for a sign-in, because the session ended while the user was deciding. */
function backToPage(parameters: string, requestId: string): HttpResponse {
  const query = new URLSearchParams(parameters);
  query.delete('decision');
  return seeOther(`/oauth/authorize?${query}`, { 'cache-control': 'no-store', 'x-request-id': requestId });
}

function isAllowed(parameters: string): boolean {
  const read = readParameters(parameters, ['decision']);
  const decision = read.kind === 'read' ? read.values.decision : undefined;
  if (decision === 'allow' || decision === 'deny') return decision === 'allow';
  throw new ParleyError('invalid_request', 'Expected the parameter "decision" once, as "allow" or "deny".');
}

const form = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'decision',
] as const;

export const postAuthorization = endpoint({
  method: 'POST',
  path: '/oauth/authorize',
  status: 303,
  errors: ['rate_limited'],
  docs: {
    tag: 'Tokens',
    summary: 'Allow or deny an app (RFC 6749)',
    description:
      'The form of the consent page. Redirects to the app, with a code or an error; with `Accept: application/json` the response has the URL as `redirectTo`.',
  },
  serve: Object.assign(serve, { spec: { auth: 'session', form } as const }),
});

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

/** Dynamic client registration (RFC 7591 §3). */
export const postRegistration = endpoint({
  method: 'POST',
  path: '/oauth/register',
  auth: 'anyone',
  // The use case checks the members, because their errors have specific codes.
  body: z.looseObject({}),
  response: registeredClientSchema,
  status: 201,
  errorFormat: 'oauth',
  docs: {
    tag: 'Tokens',
    summary: 'Register a client (RFC 7591)',
    description:
      'For public clients of the authorization code flow. Nothing is stored: the client ID contains the metadata.',
  },
  handle: async ({ ctx, input, address }) =>
    jsonResponse(await registerClient({ ctx, input: { metadata: input, address } }), { status: 201 }),
});
