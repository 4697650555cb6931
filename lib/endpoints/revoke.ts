import type { Endpoint } from '../http/endpoint';
import { oauthRoute } from '../http/routes/oauth-route';
import { OAuthError } from '../protocol/oauth/oauth-error';
import { REVOCATION_LIMIT, revokeToken } from '../tokens';

/** `POST /api/auth/revoke` (RFC 7009). `token_type_hint` is ignored: all tokens are looked for alike. */
export const postRevoke: Endpoint = oauthRoute({
  parameters: ['token'],
  uncheckedParameter: 'token',
  clients: 'all',
  limit: REVOCATION_LIMIT,
  handle: async ({ ctx, form: { token } }) => {
    if (token === undefined) throw new OAuthError('invalid_request', 'The parameter token is missing.');
    await revokeToken({ ctx, input: { token } });
    return undefined;
  },
});
