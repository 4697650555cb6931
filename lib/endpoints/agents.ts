import { registerAgent } from '../catalog';
import { registerInputSchema } from '../catalog/schema';
import { searchAgents } from '../discovery';
import { searchQuerySchema } from '../discovery/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { ownsApp } from '../tokens';

/** `GET /api/agents`: the catalogue, with the same query as its page; open to all. */
export const getAgents: Endpoint = jsonRoute({
  auth: 'anyone',
  hasEtag: true,
  handle: ({ ctx, url }) => searchAgents({ ctx, input: parseBody(searchQuerySchema, readQuery(url.searchParams)) }),
});

const lists: readonly string[] = ['tag', 'capability'];

/** An empty parameter counts as none. */
function readQuery(params: URLSearchParams): object {
  const names = Object.keys(searchQuerySchema.shape);
  return Object.fromEntries(
    names.map((name) => [name, lists.includes(name) ? params.getAll(name) : params.get(name) || undefined]),
  );
}

/** `POST /api/agents`: 201 for a new listing, 200 when the same owner had listed the address. */
export const postAgent: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: registerInputSchema,
  handle: async ({ ctx, input }) => {
    const { agent, created } = await registerAgent({ ctx, input, ownsApp });
    return Response.json(agent, { status: created ? 201 : 200, headers: { location: `/api/agents/${agent.slug}` } });
  },
});
