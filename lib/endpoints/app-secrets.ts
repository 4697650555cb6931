import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { addAppSecret, removeAppSecret } from '../tokens';
import { addAppSecretSchema } from '../tokens/schema';

/** `POST /api/apps/{id}/secrets`: 201 with a second secret, shown this once. The body may be left out. */
export const postAppSecret: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: addAppSecretSchema,
  allowsEmptyBody: true,
  handle: async ({ ctx, input, params: { id = '' } }) =>
    Response.json(await addAppSecret({ ctx, input: { ...input, appId: id } }), { status: 201 }),
});

/** `DELETE /api/apps/{id}/secrets/{secretId}` */
export const deleteAppSecret: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params: { id = '', secretId = '' } }) => {
    await removeAppSecret({ ctx, input: { appId: id, secretId } });
    return undefined;
  },
});
