import { removeAgentCredential, setAgentCredential } from '../catalog';
import { credentialInputSchema } from '../catalog/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `PUT /api/agents/{slug}/credentials`: what Parley shows one's own agent when it calls it; never shown again. */
export const putAgentCredentials: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: credentialInputSchema,
  handle: ({ ctx, input, params }) =>
    setAgentCredential({ ctx, input: { slug: params.slug ?? '', credential: input } }),
});

/** `DELETE /api/agents/{slug}/credentials`: 204, also when there is none. */
export const deleteAgentCredentials: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params }) => {
    await removeAgentCredential({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});
