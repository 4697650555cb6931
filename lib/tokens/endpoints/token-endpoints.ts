import { z } from 'zod';
import { dpopProofOf } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { HandlerContext, HttpRequest, HttpResponse } from '../../http/handler';
import { mediaTypeOf, readFormText, requestIdOf, resourceOf, withBody } from '../../http/request';
import { jsonRoute } from '../../http/routes/json-route';
import { type OAuthCall, oauthRoute, TextResponse } from '../../http/routes/oauth-route';
import { ParleyError } from '../../platform/errors';
import {
  GRANT_TYPES,
  OAuthError,
  type TokenResponse,
  tokenResponseSchema,
} from '../../protocol/oauth/authorization-server';
import { introspectionSchema } from '../../protocol/oauth/jwt-access-tokens';
import {
  exchangeToken,
  handshake,
  INTROSPECTION_LIMIT,
  introspectToken,
  issueClientToken,
  issueGenericToken,
  issueWorkerToken,
  REVOCATION_LIMIT,
  redeemAuthorizationCode,
  redeemDeviceCode,
  refreshAccessToken,
  refreshConnection,
  revokeToken,
  signIntrospection,
  TOKEN_LIMIT,
} from '..';
import {
  genericTokenSchema,
  handshakeResponseSchema,
  handshakeSchema,
  workerTokenRequestSchema,
  workerTokenSchema,
} from '../schema';

const parameters = [
  'grant_type',
  'scope',
  'resource',
  'audience',
  'device_code',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
] as const;
type TokenCall = OAuthCall<(typeof parameters)[number]>;

const genericToken = jsonRoute({ auth: { scope: 'handshake' }, handle: issueGenericToken });

const grantToken = oauthRoute({ parameters, clients: 'all', limit: TOKEN_LIMIT, handle: handleGrant });

/** The grants of RFC 6749, 7636, 8628 and 8693. A bearer token without a grant returns Web42's generic token. */
export const postToken = endpoint({
  method: 'POST',
  path: '/api/auth/token',
  response: z.union([tokenResponseSchema, genericTokenSchema]),
  docs: {
    tag: 'Tokens',
    summary: 'Exchange a grant for a token',
    description:
      'Grants: authorization code, device code, refresh token, client credentials and token exchange. With a bearer token and no grant: a token that identifies you and is not limited to one agent.',
  },
  serve: Object.assign(serveToken, { renderRejection: grantToken.renderRejection }),
});

async function serveToken(request: HttpRequest, context: HandlerContext): Promise<HttpResponse> {
  if (!/^Bearer /i.test(request.headers.get('authorization') ?? '')) return grantToken(request, context);
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return genericToken(request, context);
  // The body determines which of the two applies and can be read only once, so the request is forwarded with the
  // buffered body.
  try {
    const form = await readFormText(request);
    const bufferedRequest = withBody(request, form);
    return new URLSearchParams(form).has('grant_type')
      ? grantToken(bufferedRequest, context)
      : genericToken(bufferedRequest, context);
  } catch (error) {
    return problemOf(error, requestIdOf(request), resourceOf(request));
  }
}

/**
 * Issues the token for the requested grant.
 * @throws {OAuthError}
 */
async function handleGrant({ ctx, form, request }: TokenCall): Promise<TokenResponse> {
  const { scope, resource, audience } = form;
  const proof = dpopProofOf(request);
  switch (form.grant_type) {
    case GRANT_TYPES.deviceCode:
      rejectProof(proof);
      return redeemDeviceCode({ ctx, input: { deviceCode: requireParameter(form, 'device_code') } });
    case GRANT_TYPES.authorizationCode:
      rejectProof(proof);
      return redeemAuthorizationCode({ ctx, input: { ...readCode(form), resource } });
    case GRANT_TYPES.refreshToken: {
      rejectProof(proof);
      const input = { refreshToken: requireParameter(form, 'refresh_token'), scope, resource };
      return ctx.actor.kind === 'public-client'
        ? refreshAccessToken({ ctx, input })
        : refreshConnection({ ctx, input });
    }
    case GRANT_TYPES.clientCredentials:
      return issueClientToken({ ctx, input: { scope, resource, audience, proof } });
    case GRANT_TYPES.tokenExchange:
      return exchangeToken({ ctx, input: { ...readExchange(form), proof } });
    default: {
      requireParameter(form, 'grant_type');
      throw new OAuthError('unsupported_grant_type', `Expected one of: ${Object.values(GRANT_TYPES).join(' ')}.`);
    }
  }
}

/**
 * Rejects a DPoP proof, because only agent tokens are bound to keys.
 * @throws {OAuthError}
 */
function rejectProof(proof: object | undefined): void {
  if (proof) throw new OAuthError('invalid_request', 'This grant issues only bearer tokens. Omit the DPoP header.');
}

function readCode(form: TokenCall['form']): { code: string; redirectUri: string; codeVerifier: string } {
  return {
    code: requireParameter(form, 'code'),
    redirectUri: requireParameter(form, 'redirect_uri'),
    codeVerifier: requireParameter(form, 'code_verifier'),
  };
}

function readExchange(form: TokenCall['form']): Omit<Parameters<typeof exchangeToken>[0]['input'], 'proof'> {
  if (form.actor_token) {
    throw new OAuthError(
      'invalid_request',
      'actor_token is not accepted: the actor is the agent that was called. Omit it.',
    );
  }
  return {
    subjectToken: requireParameter(form, 'subject_token'),
    subjectTokenType: requireParameter(form, 'subject_token_type'),
    requestedTokenType: form.requested_token_type,
    scope: form.scope,
    resource: form.resource,
    audience: form.audience,
  };
}

function requireParameter(form: TokenCall['form'], name: (typeof parameters)[number]): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter "${name}" is missing.`);
  return value;
}

export const postHandshake = endpoint({
  method: 'POST',
  path: '/api/auth/handshake',
  auth: { scope: 'handshake' },
  body: handshakeSchema,
  response: handshakeResponseSchema,
  errors: ['invalid_target', 'invalid_dpop_proof'],
  docs: { tag: 'Tokens', summary: 'Get a token for one agent' },
  handle: ({ ctx, input, request }) => handshake({ ctx, input: { ...input, proof: dpopProofOf(request) } }),
});

/**
 * The first request of Society AI's clients. `api_key` is an access token with the scope `agents:serve`, optionally
 * with the prefix that they require of keys.
 */
export const postAgentToken = endpoint({
  method: 'POST',
  path: '/auth/agent-token',
  auth: 'anyone',
  body: workerTokenRequestSchema,
  response: workerTokenSchema,
  handle: ({ ctx, input, address }) => issueWorkerToken({ ctx, input: { ...input, address } }),
});

const signedMediaType = 'application/token-introspection+jwt';

/**
 * Token introspection (RFC 7662), signed on request (RFC 9701). Ignores `token_type_hint` and looks up all kinds of
 * tokens.
 */
export const introspect = endpoint({
  method: 'POST',
  path: '/api/auth/introspect',
  response: introspectionSchema,
  docs: { tag: 'Tokens', summary: 'Introspect a token (RFC 7662)' },
  serve: oauthRoute({
    parameters: ['token'],
    uncheckedParameter: 'token',
    clients: 'apps',
    limit: INTROSPECTION_LIMIT,
    handle: async ({ ctx, form: { token }, request }) => {
      if (token === undefined) throw new ParleyError('invalid_request', 'The parameter "token" is missing.');
      const response = await introspectToken({ ctx, input: { token } });
      if (!request.headers.get('accept')?.includes(signedMediaType)) return response;
      return new TextResponse(signedMediaType, await signIntrospection({ ctx, input: { response } }));
    },
  }),
});

/** Token revocation (RFC 7009). Ignores `token_type_hint` and looks up all kinds of tokens. */
export const postRevoke = endpoint({
  method: 'POST',
  path: '/api/auth/revoke',
  status: 200,
  docs: { tag: 'Tokens', summary: 'Revoke a token (RFC 7009)' },
  serve: oauthRoute({
    parameters: ['token'],
    uncheckedParameter: 'token',
    clients: 'all',
    limit: REVOCATION_LIMIT,
    handle: async ({ ctx, form: { token } }) => {
      if (token === undefined) throw new OAuthError('invalid_request', 'The parameter "token" is missing.');
      await revokeToken({ ctx, input: { token } });
      return undefined;
    },
  }),
});
