import { getAgent, updateAgent, withdrawAgent } from '../catalog';
import { updateInputSchema } from '../catalog/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { ownsApp } from '../tokens';

/** `GET /api/agents/{slug}`: one agent; a private one for its owner alone. */
export const getOneAgent: Endpoint = jsonRoute({
  auth: 'anyone',
  hasEtag: true,
  handle: ({ ctx, params }) => getAgent({ ctx, input: { slug: params.slug ?? '' } }),
});

/** `PATCH /api/agents/{slug}`: tags, visibility, status or app of one's own agent. */
export const patchAgent: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: updateInputSchema,
  handle: ({ ctx, input, params }) => updateAgent({ ctx, input: { ...input, slug: params.slug ?? '' }, ownsApp }),
});

/** `DELETE /api/agents/{slug}`: withdraws one's own agent. */
export const deleteAgent: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: async ({ ctx, params }) => {
    await withdrawAgent({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});
