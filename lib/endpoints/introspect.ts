import type { Endpoint } from '../http/endpoint';
import { oauthRoute, TextResponse } from '../http/routes/oauth-route';
import { ParleyError } from '../platform/errors';
import { INTROSPECTION_LIMIT, introspectToken, signIntrospection } from '../tokens';

const signed = 'application/token-introspection+jwt';

/**
 * `POST /api/auth/introspect` (RFC 7662), signed when that is asked for (RFC 9701). `token_type_hint` is ignored: all tokens
 * are looked for alike (INT-7).
 */
export const introspect: Endpoint = oauthRoute({
  parameters: ['token'],
  uncheckedParameter: 'token',
  clients: 'apps',
  limit: INTROSPECTION_LIMIT,
  handle: async ({ ctx, form: { token }, request }) => {
    if (token === undefined) throw new ParleyError('invalid_request', 'The parameter token is missing.');
    const answer = await introspectToken({ ctx, input: { token } });
    if (!request.headers.get('accept')?.includes(signed)) return answer;
    return new TextResponse(signed, await signIntrospection({ ctx, input: { answer } }));
  },
});
