import { z } from 'zod';
import { getRanking } from '../discovery';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { listProbes } from '../probes';

/** `GET /api/agents/{slug}/standing`: health, use and score with its parts; open to all who may see the agent. */
export const getAgentStanding: Endpoint = jsonRoute({
  auth: 'anyone',
  hasEtag: true,
  handle: ({ ctx, params }) => getRanking({ ctx, input: { slug: params.slug ?? '' } }),
});

const probesQuery = z.object({
  failed: z.enum(['0', '1']).default('0'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** `GET /api/agents/{slug}/probes`: the latest probes with what failed, for the agent's team. */
export const getAgentProbes: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: async ({ ctx, params, url }) => {
    const { failed, limit } = parseBody(probesQuery, Object.fromEntries(url.searchParams));
    const input = { slug: params.slug ?? '', failed: failed === '1', limit };
    return { items: await listProbes({ ctx, input }) };
  },
});
