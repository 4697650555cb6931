import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/json-route';
import { mediaTypeOf, readJson } from '../http/request';
import { addAppSecret, removeAppSecret } from '../tokens';
import { addAppSecretSchema } from '../tokens/schema';

/** `POST /api/apps/{id}/secrets`: 201 with a second secret, shown this once. The body may be left out. */
export const postAppSecret: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params: { id = '' }, request }) => {
    const body = mediaTypeOf(request) === '' ? {} : await readJson(request);
    const input = { ...parseBody(addAppSecretSchema, body), appId: id };
    return Response.json(await addAppSecret({ ctx, input }), { status: 201 });
  },
});

/** `DELETE /api/apps/{id}/secrets/{secretId}` */
export const deleteAppSecret: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params: { id = '', secretId = '' } }) => {
    await removeAppSecret({ ctx, input: { appId: id, secretId } });
    return undefined;
  },
});
