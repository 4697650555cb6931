import { getCall, getStats, getTestRun, listCalls, readCalls, startTestRun } from '../console';
import { callQuerySchema, type LoggedCall, runInputSchema } from '../console/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { textStream } from '../http/text-stream';
import { ParleyError } from '../platform/errors';
import { csvRows, fileResponse } from './download';

/** `GET /api/agents/{slug}/calls`: the log, newest first; `?format=csv` is a file of all that the filter finds. */
export const getAgentCalls: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  async handle({ ctx, url, params: { slug = '' } }) {
    const input = { ...parseBody(callQuerySchema, Object.fromEntries(url.searchParams)), slug };
    if (url.searchParams.get('format') !== 'csv') return listCalls({ ctx, input });
    // Before the file begins, so that a refusal is still an error.
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

/** `GET /api/agents/{slug}/calls/{id}`: one call with what went over the wire. */
export const getAgentCall: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  async handle({ ctx, params: { slug = '', id = '' } }) {
    const call = await getCall({ ctx, input: { slug, id } });
    if (!call) throw new ParleyError('not_found', 'This call is not in the log of this agent any more.');
    return call;
  },
});

/** `GET /api/agents/{slug}/stats`: what the log adds up to, by the hour or day of a time zone. */
export const getAgentStats: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, url, params: { slug = '' } }) =>
    getStats({ ctx, input: { ...parseBody(callQuerySchema, Object.fromEntries(url.searchParams)), slug } }),
});

/** `POST /api/agents/{slug}/runs`: begins a test, or the repetition of a call that failed; 201. */
export const postAgentRun: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: runInputSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) =>
    Response.json(await startTestRun({ ctx, input: { ...input, slug } }), { status: 201 }),
});

/** `GET /api/agents/{slug}/runs/{requestId}`: what became of it behind Parley. */
export const getAgentRun: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, params: { slug = '', requestId = '' } }) => getTestRun({ ctx, input: { slug, requestId } }),
});
