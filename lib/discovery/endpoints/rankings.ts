import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { cachedTextRoute } from '../../http/routes/cached-document';
import { lastValues, undocumented } from '../../http/routes/json-route';
import { listOf } from '../../platform/schema';
import { listProbes } from '../../probes';
import { probeSchema } from '../../probes/schema';
import { getRanking, renderBadge } from '..';
import { DEFAULT_PROBES, MAX_PROBES } from '../limits';
import { agentRankingSchema } from '../schema-rankings';

export const getAgentRanking = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/standing',
  reads: 'replica',
  auth: 'anyone',
  hasEtag: true,
  response: agentRankingSchema,
  errors: ['not_found', 'gone'],
  docs: {
    tag: 'Agents',
    summary: 'Get the health and ranking of an agent',
    description:
      'Health and the latest check, uptime and latency with their time ranges, usage, rating, and the score with all its factors.',
  },
  handle: ({ ctx, params }) => getRanking({ ctx, input: { slug: params.slug ?? '' } }),
});

const probesQuery = z.object({
  failed: z.enum(['0', '1']).default('0').meta(undocumented),
  limit: z.coerce.number().int().min(1).max(MAX_PROBES).default(DEFAULT_PROBES).meta(undocumented),
});

export const getAgentProbes = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/probes',
  reads: 'replica',
  auth: { scope: 'agents:read' },
  query: probesQuery,
  readQuery: lastValues,
  response: listOf(probeSchema),
  errors: ['not_found', 'gone'],
  docs: {
    tag: 'Agents',
    summary: 'List the latest checks of an agent',
    description:
      'Only for its team. Failed checks include the request and the response, with secrets masked. `failed=1` returns only failed checks; `limit` is 1 to 100.',
  },
  handle: async ({ ctx, query: { failed, limit }, params }) => {
    const input = { slug: params.slug ?? '', failed: failed === '1', limit };
    return { items: await listProbes({ ctx, input }) };
  },
});

/** The status badge of a public agent, for its own site. */
export const agentBadge = endpoint({
  method: 'GET',
  path: '/agents/:slug/badge.svg',
  reads: 'replica',
  serve: cachedTextRoute(async ({ slug = '' }) => {
    const ranking = await getRanking({ ctx: { actor: { kind: 'anonymous' }, now: new Date() }, input: { slug } });
    return { type: 'image/svg+xml; charset=utf-8', text: renderBadge(ranking) };
  }),
});
