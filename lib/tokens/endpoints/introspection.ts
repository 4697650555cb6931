import { endpoint } from '../../http/endpoint';
import { oauthRoute, TextResponse } from '../../http/routes/oauth-route';
import { ParleyError } from '../../platform/errors';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import { introspectionSchema } from '../../protocol/oauth/jwt-access-tokens';
import { INTROSPECTION_LIMIT, introspectToken, REVOCATION_LIMIT, revokeToken, signIntrospection } from '..';

const signedMediaType = 'application/token-introspection+jwt';

/** RFC 7662, signed on request (RFC 9701). Ignores `token_type_hint` and looks up all kinds of tokens. */
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

/** RFC 7009. Ignores `token_type_hint` and looks up all kinds of tokens. */
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
