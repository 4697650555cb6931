import { registerAgent } from '../catalog';
import { registerInputSchema } from '../catalog/schema';
import { searchAgents } from '../discovery';
import { searchQuerySchema } from '../discovery/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/json-route';
import { ownsApp } from '../tokens';

/** `GET /api/agents`: the catalogue, with the same query as its page; open to all. */
export const getAgents: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: async ({ ctx, url }) => {
    const page = await searchAgents({ ctx, input: parseBody(searchQuerySchema, readQuery(url.searchParams)) });
    return { ...page, items: page.items.map(({ matchedSkill: _matchedSkill, ...agent }) => agent) };
  },
});

function readQuery(params: URLSearchParams): object {
  const one = (name: string): string | undefined => params.get(name) || undefined;
  return {
    q: one('q'),
    tag: params.getAll('tag'),
    capability: params.getAll('capability'),
    sort: one('sort'),
    limit: one('limit'),
    cursor: one('cursor'),
  };
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
