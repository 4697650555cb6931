import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../tokens';
import { createAccessTokenSchema } from '../tokens/schema';

/** `GET /api/auth/access-tokens` */
export const getAccessTokens: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listAccessTokens({ ctx }) }),
});

/** `POST /api/auth/access-tokens`: 201 with the token, which is shown this once. */
export const postAccessToken: Endpoint = jsonRoute({
  auth: 'session',
  body: createAccessTokenSchema,
  handle: async ({ ctx, input }) => Response.json(await createAccessToken({ ctx, input }), { status: 201 }),
});

/** `DELETE /api/auth/access-tokens/{id}` */
export const deleteAccessToken: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' } }) => {
    await revokeAccessToken({ ctx, input: { id } });
    return undefined;
  },
});
