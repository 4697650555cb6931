import type { Endpoint } from '../http/endpoint';
import { oauthRoute } from '../http/oauth-route';
import { OAuthFault } from '../protocol/oauth/faults';
import { REVOCATION_LIMIT, revokeToken } from '../tokens';

/** `POST /api/auth/revoke` (RFC 7009). `token_type_hint` is ignored: all tokens are looked for alike. */
export const postRevoke: Endpoint = oauthRoute({
  parameters: ['token'],
  anyText: 'token',
  clients: 'all',
  limit: REVOCATION_LIMIT,
  handle: async ({ ctx, form: { token } }) => {
    if (token === undefined) throw new OAuthFault('invalid_request', 'The parameter token is missing.');
    await revokeToken({ ctx, input: { token } });
    return undefined;
  },
});
