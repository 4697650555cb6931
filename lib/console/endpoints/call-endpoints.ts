import { z } from 'zod';
import { csvRows, fileResponse, readListQuery } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { lastValues, undocumented } from '../../http/routes/json-route';
import {
  callNotInLog,
  getCall,
  getOverview,
  getPublishingChecklist,
  getStats,
  getTestRun,
  listCalls,
  readCalls,
  runChecks,
  startTestRun,
} from '..';
import {
  agentStatsSchema,
  callDetailSchema,
  callPageSchema,
  callQuerySchema,
  type LoggedCall,
  runInputSchema,
  runResultSchema,
  testRunViewSchema,
} from '../schema';
import { overviewQuerySchema, overviewSchema, publishChecklistSchema } from '../schema-agents';
import { checkInputSchema, checkReportSchema } from '../schema-checks';

export const getAgentCalls = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/calls',
  reads: 'replica',
  auth: { scope: 'agents:read' },
  query: callQuerySchema.extend({ format: z.string().optional().meta(undocumented) }),
  readQuery: readListQuery,
  response: callPageSchema,
  docs: {
    tag: 'Console',
    summary: 'List the calls of an agent',
    description:
      'Up to 10,000 calls and 10,000 failed calls from the last 7 days; a sample of them when too many arrived at the same time, which `missing` says. With format=csv, a file of all matching calls.',
  },
  async handle({ ctx, query: { format, ...filter }, params: { slug = '' } }) {
    const input = { ...filter, slug };
    if (format !== 'csv') return listCalls({ ctx, input });
    // Checked before the file starts, so that a rejection is an error response.
    await listCalls({ ctx, input: { ...input, cursor: undefined, limit: 1 } });
    const name = `parley-calls-${slug}-${ctx.now.toISOString().slice(0, 10)}.csv`;
    return fileResponse(csvRows(readCalls({ ctx, input }), callColumns), name);
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
  reads: 'replica',
  auth: { scope: 'agents:read' },
  response: callDetailSchema,
  docs: { tag: 'Console', summary: 'Get a call with its requests and responses' },
  async handle({ ctx, params: { slug = '', id = '' } }) {
    const call = await getCall({ ctx, input: { slug, id } });
    if (!call) throw callNotInLog();
    return call;
  },
});

export const getAgentStats = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/stats',
  reads: 'replica',
  auth: { scope: 'agents:read' },
  query: callQuerySchema,
  readQuery: lastValues,
  response: agentStatsSchema,
  docs: {
    tag: 'Console',
    summary: 'Get call counts for an agent by hour or day',
    description: 'The counts match the log for the same filter. `missing` of the log says how many calls it lacks.',
  },
  handle: ({ ctx, query, params: { slug = '' } }) => getStats({ ctx, input: { ...query, slug } }),
});

export const getConsoleOverview = endpoint({
  method: 'GET',
  path: '/api/console/overview',
  reads: 'replica',
  auth: { scope: 'agents:read' },
  query: overviewQuerySchema,
  readQuery: lastValues,
  response: overviewSchema,
  docs: {
    tag: 'Console',
    summary: 'Get figures for your agents',
    description:
      'Calls, success rate, p95 response time, users and sales for the last 24 hours, 7 days or 30 days, and for the period before.',
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
    summary: 'Start a test call, or repeat a failed call',
    description: 'Then make the call yourself, with the returned ID as X-Request-Id.',
  },
  handle: async ({ ctx, input, params: { slug = '' } }) =>
    jsonResponse(await startTestRun({ ctx, input: { ...input, slug } }), { status: 201 }),
});

export const getAgentRun = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/runs/:requestId',
  auth: { scope: 'agents:read' },
  response: runResultSchema,
  docs: { tag: 'Console', summary: 'Get the steps of a test call' },
  handle: ({ ctx, params: { slug = '', requestId = '' } }) => getTestRun({ ctx, input: { slug, requestId } }),
});

export const getChecklist = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/checklist',
  auth: { scope: 'agents:read' },
  response: publishChecklistSchema,
  docs: { tag: 'Console', summary: 'Get an agent’s to-do list and why it is not in search' },
  handle: ({ ctx, params: { slug = '' } }) => getPublishingChecklist({ ctx, input: { slug } }),
});

/** `POST /api/agents/{slug}/checks`: the checks of `parley test`, by Parley. */
export const postAgentChecks = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/checks',
  auth: { scope: 'agents:write' },
  body: checkInputSchema,
  response: checkReportSchema,
  errors: ['conflict', 'rate_limited'],
  docs: {
    tag: 'Console',
    summary: 'Test an agent',
    description:
      'Calls the agent as callers do and reports what is wrong: its card, examples, streams, cancellation, questions, files, errors, limits, versions and carts. Takes up to a minute.',
  },
  handle: ({ ctx, input, params: { slug = '' } }) => runChecks({ ctx, input: { ...input, slug } }),
});
