import { z } from 'zod';
import {
  getCall,
  getOverview,
  getPublishingChecklist,
  getStats,
  getTestRun,
  listCalls,
  readCalls,
  startTestRun,
} from '../../console';
import {
  agentStatsSchema,
  callDetailSchema,
  callPageSchema,
  callQuerySchema,
  type LoggedCall,
} from '../../console/schema';
import { publishChecklistSchema } from '../../console/schema-agents';
import { overviewQuerySchema, overviewSchema } from '../../console/schema-overview';
import { runInputSchema, runResultSchema, testRunViewSchema } from '../../console/schema-runs';
import { lastValues, undocumented } from '../../http/routes/query';
import { ParleyError } from '../../platform/errors';
import { csvRows, fileResponse, readListQuery, textStream } from '../download';
import { endpoint } from '../endpoint';

export const getAgentCalls = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/calls',
  auth: { scope: 'agents:read' },
  query: callQuerySchema.extend({ format: z.string().optional().meta(undocumented) }),
  readQuery: readListQuery,
  response: callPageSchema,
  docs: {
    tag: 'Console',
    summary: 'List calls of an agent',
    description:
      'The latest 10,000 of a week, and as many that failed. With format=csv a file of all that the filter finds.',
  },
  async handle({ ctx, query: { format, ...filter }, params: { slug = '' } }) {
    const input = { ...filter, slug };
    if (format !== 'csv') return listCalls({ ctx, input });
    // Before the file starts, so that a rejection is an error response.
    await listCalls({ ctx, input: { ...input, cursor: undefined, limit: 1 } });
    const name = `parley-calls-${slug}-${ctx.now.toISOString().slice(0, 10)}.csv`;
    return fileResponse(textStream(csvRows(readCalls({ ctx, input }), callColumns)), name);
  },
});

const callColumns: Record<string, (call: LoggedCall) => string | number | null> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  request_id: ({ requestId }) => requestId,
  method: ({ method }) => method,
  dialect: ({ dialect }) => dialect,
  ms: ({ ms }) => ms,
  status: ({ failure }) => (failure ? 'failed' : 'ok'),
  code: ({ failure }) => failure?.code ?? null,
  message: ({ failure }) => failure?.message ?? null,
  caller: ({ caller }) => caller,
  origin: ({ origin }) => origin,
  replay_of: ({ replayOf }) => replayOf,
};

export const getAgentCall = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/calls/:id',
  auth: { scope: 'agents:read' },
  response: callDetailSchema,
  docs: { tag: 'Console', summary: 'Get a call with what went over the wire' },
  async handle({ ctx, params: { slug = '', id = '' } }) {
    const call = await getCall({ ctx, input: { slug, id } });
    if (!call)
      throw new ParleyError('not_found', 'This call is no longer in the log of this agent. Calls are kept for 7 days.');
    return call;
  },
});

export const getAgentStats = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/stats',
  auth: { scope: 'agents:read' },
  query: callQuerySchema,
  readQuery: lastValues,
  response: agentStatsSchema,
  docs: {
    tag: 'Console',
    summary: 'Sum up calls of an agent by the hour or day',
    description: 'Counts are exactly those of the log for the same filter.',
  },
  handle: ({ ctx, query, params: { slug = '' } }) => getStats({ ctx, input: { ...query, slug } }),
});

export const getConsoleOverview = endpoint({
  method: 'GET',
  path: '/api/console/overview',
  auth: { scope: 'agents:read' },
  query: overviewQuerySchema,
  readQuery: lastValues,
  response: overviewSchema,
  docs: {
    tag: 'Console',
    summary: 'Get the figures of your agents',
    description:
      'Calls, success rate, p95 response time, users and sales of the last 24 hours, 7 days or 30 days, and of the same period before.',
  },
  handle: ({ ctx, query }) => getOverview({ ctx, input: query }),
});

export const postAgentRun = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/runs',
  auth: { scope: 'agents:write' },
  body: runInputSchema,
  response: testRunViewSchema,
  status: 201,
  errors: ['conflict'],
  docs: {
    tag: 'Console',
    summary: 'Begin a test, or repeat a call that failed',
    description: 'Make the call yourself, with the answered id as X-Request-Id.',
  },
  handle: async ({ ctx, input, params: { slug = '' } }) =>
    Response.json(await startTestRun({ ctx, input: { ...input, slug } }), { status: 201 }),
});

export const getAgentRun = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/runs/:requestId',
  auth: { scope: 'agents:read' },
  response: runResultSchema,
  docs: { tag: 'Console', summary: 'Get what became of a test behind Parley' },
  handle: ({ ctx, params: { slug = '', requestId = '' } }) => getTestRun({ ctx, input: { slug, requestId } }),
});

export const getChecklist = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/checklist',
  auth: { scope: 'agents:read' },
  response: publishChecklistSchema,
  docs: { tag: 'Console', summary: 'Get what is left to do for an agent, and why it is not in search' },
  handle: ({ ctx, params: { slug = '' } }) => getPublishingChecklist({ ctx, input: { slug } }),
});
