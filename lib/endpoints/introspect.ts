import type { Endpoint } from '../http/endpoint';
import { oauthRoute } from '../http/oauth-route';
import { ParleyError } from '../platform/errors';
import { INTROSPECTION_LIMIT, introspectToken } from '../tokens';

/** `POST /api/auth/introspect` (RFC 7662). `token_type_hint` is ignored: all tokens are looked for alike (INT-7). */
export const introspect: Endpoint = oauthRoute({
  parameters: ['token'],
  clients: 'apps',
  limit: INTROSPECTION_LIMIT,
  handle: async ({ ctx, form: { token } }) => {
    if (token === undefined) throw new ParleyError('invalid_request', 'The parameter token is missing.');
    return introspectToken({ ctx, input: { token } });
  },
});
