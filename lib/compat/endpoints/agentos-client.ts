import { type AgentRecord, findAgentById, getAgentCard } from '../../catalog';
import { searchAgents } from '../../discovery';
import { searchQuerySchema } from '../../discovery/schema';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { idempotencyKeyOf, readPreference } from '../../http/request-headers';
import { jsonResponse } from '../../http/respond';
import type { CallerActor, Ctx, UserActor } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type { ClientTaskSend, Task } from '../../protocol/a2a/core/model';
import { legacySystemDialect, readRequest } from '../../protocol/a2a/dialects';
import { isObject, type JsonObject } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';
import {
  cancelTask,
  findAgentOfTask,
  getTask,
  inlineFiles,
  MAX_WAIT_MS,
  sendToClientTask,
  taskNotFound,
} from '../../tasks';
import { authorizeCallsByUrl, callerOf, findAgentToCall } from '../../tokens';
import {
  agentOsCardSchema,
  agentOsTaskSchema,
  cancelTaskSchema,
  discoveredSchema,
  discoverSchema,
  type SendTask,
  sendTaskSchema,
  taskQuerySchema,
} from '../schema-agentos';

// The HTTP API that AgentOS provides to its own agents, for the agents listed here. Agents are identified by URL, but a
// URL only selects a listing: no request is sent to a URL that a caller chose.

const dialect = legacySystemDialect('agentos');
const auth = { scope: 'handshake' } as const;

const discoverAgent = endpoint({
  method: 'POST',
  path: '/api/a2a/discover',
  auth,
  body: discoverSchema,
  acceptsAnyType: true,
  response: discoveredSchema,
  errors: ['agent_not_found'],
  docs: { tag: 'Calls by URL', summary: 'Get the card of a listed agent' },
  handle: async ({ ctx, input }) => {
    const { slug } = await findAgentToCall(await authorizeCallsByUrl({ ctx }), input.url);
    return { card: await cardOf(ctx, slug), discovered: true };
  },
});

const sendTask = endpoint({
  method: 'POST',
  path: '/api/a2a/send',
  auth,
  body: sendTaskSchema,
  acceptsAnyType: true,
  response: agentOsTaskSchema,
  errors: [
    'agent_not_found',
    'agent_unreachable',
    'agent_offline',
    'too_many_tasks',
    'idempotency_mismatch',
    'invalid_params',
  ],
  docs: {
    tag: 'Calls by URL',
    summary: 'Send a task to a listed agent',
    description: 'Returns the task immediately, or after up to n seconds with `Prefer: wait=n`.',
  },
  handle: async ({ ctx, input, request }) => {
    const user = await authorizeCallsByUrl({ ctx });
    const agent = await findAgentToCall(user, input.agentUrl);
    const { waitMs } = readPreference(request);
    const send = toSend(input);
    const { task, replayed } = await sendToClientTask({
      ctx: asCaller(ctx, user, agent),
      input: {
        agent,
        request: { ...send, configuration: { ...send.configuration, returnImmediately: waitMs === undefined } },
        threads: false,
        idempotencyKey: idempotencyKeyOf(request),
        waitMs: Math.min(waitMs ?? 0, MAX_WAIT_MS),
      },
    });
    const headers = replayed ? { 'idempotent-replayed': 'true' } : undefined;
    return jsonResponse(await toTask(ctx, task, input.agentUrl), { headers });
  },
});

const getTaskStatus = endpoint({
  method: 'GET',
  path: '/api/a2a/task',
  auth,
  query: taskQuerySchema,
  response: agentOsTaskSchema,
  errors: ['task_not_found', 'agent_not_found'],
  docs: { tag: 'Calls by URL', summary: 'Get a task' },
  handle: async ({ ctx, query }) => {
    const { agent, ctx: callerCtx, agentUrl } = await findAgentOf(ctx, query);
    return toTask(ctx, await getTask({ ctx: callerCtx, input: { agent, taskId: query.taskId } }), agentUrl);
  },
});

const cancelTaskByUrl = endpoint({
  method: 'POST',
  path: '/api/a2a/cancel',
  auth,
  body: cancelTaskSchema,
  acceptsAnyType: true,
  response: agentOsTaskSchema,
  errors: ['task_not_found', 'task_not_cancelable', 'agent_not_found'],
  docs: { tag: 'Calls by URL', summary: 'Cancel a task' },
  handle: async ({ ctx, input: { taskId, reason, ...input } }) => {
    const {
      agent,
      ctx: callerCtx,
      agentUrl,
    } = await findAgentOf(ctx, { taskId, agentUrl: input.agentUrl ?? undefined });
    const task = await cancelTask({ ctx: callerCtx, input: { agent, taskId, reason: reason ?? undefined } });
    return toTask(ctx, task, agentUrl);
  },
});

const listCards = endpoint({
  method: 'GET',
  path: '/api/a2a/cards',
  auth,
  query: searchQuerySchema.pick({ q: true, limit: true, cursor: true }),
  response: agentOsCardSchema.array(),
  docs: {
    tag: 'Calls by URL',
    summary: 'List the cards of public agents',
    description: 'A `Link` header with `rel="next"` contains the URL of the next page.',
  },
  handle: async ({ ctx, query }) => {
    await authorizeCallsByUrl({ ctx });
    const sort = query.q === '' ? 'newest' : 'relevance';
    const { items, nextCursor } = await searchAgents({ ctx, input: searchQuerySchema.parse({ ...query, sort }) });
    const cards = await Promise.all(items.map(({ slug }) => cardOf(ctx, slug).catch(nullIfGone)));
    const listed = cards.filter((card) => card !== null);
    if (nextCursor === null) return listed;
    const next = new URLSearchParams({ q: query.q, limit: String(query.limit), cursor: nextCursor });
    return jsonResponse(listed, { headers: { link: `<${env().APP_URL}/api/a2a/cards?${next}>; rel="next"` } });
  },
});

export const agentOsClientEndpoints: Endpoint[] = [discoverAgent, sendTask, getTaskStatus, cancelTaskByUrl, listCards];

/** Returns the card with the URL at which AgentOS calls the agent on Parley. */
async function cardOf(ctx: Ctx, slug: string): Promise<JsonObject> {
  return (await getAgentCard({ ctx, input: { slug, shape: '0.1', system: 'agentos' } })).card;
}

/** Returns null for an agent that was withdrawn after it was found; rethrows other errors. */
function nullIfGone(error: unknown): null {
  if (hasCode(error, 'gone') || hasCode(error, 'not_found')) return null;
  throw error;
}

function asCaller(ctx: Ctx, user: UserActor, agent: AgentRecord): Ctx & { actor: CallerActor } {
  return { ...ctx, actor: callerOf(user, agent) };
}

/**
 * Finds the agent of a task: the agent at the URL, otherwise the agent that works on the task. A task stays readable
 * when its agent is no longer listed.
 */
async function findAgentOf(
  ctx: Ctx,
  { taskId, agentUrl }: { taskId: string; agentUrl?: string },
): Promise<{ agent: AgentRecord; ctx: Ctx; agentUrl: string }> {
  const user = await authorizeCallsByUrl({ ctx });
  if (agentUrl !== undefined) {
    const agent = await findAgentToCall(user, agentUrl);
    return { agent, ctx: asCaller(ctx, user, agent), agentUrl };
  }
  const agentId = await findAgentOfTask({ userId: user.userId, taskId });
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (!agent) throw taskNotFound(taskId);
  return { agent, ctx: asCaller(ctx, user, agent), agentUrl: `${env().APP_URL}/agents/${agent.slug}/a2a/rpc` };
}

/**
 * Converts to a send, with a text as one text part.
 * @throws {ParleyError} `invalid_request`
 */
function toSend({ message, sessionId, metadata }: SendTask): ClientTaskSend {
  const params = {
    message: typeof message === 'string' ? { role: 'user', parts: [{ type: 'text', text: message }] } : message,
    sessionId: sessionId ?? null,
    metadata: metadata ?? null,
  } as JsonObject;
  try {
    const request = readRequest(dialect, { id: undefined, method: 'tasks/send', params });
    if (request.op === 'send-client-task') return request;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const faults = error.violations.map(({ field, description }) => ({
      pointer: `/${field.replace(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`,
      message: description,
    }));
    throw new ParleyError('invalid_request', error.message, { data: { faults } });
  }
  throw new Error('tasks/send is read as a send');
}

/** Returns the task in AgentOS's format. `metadata.agentUrl` is the URL at which its clients request it again. */
async function toTask(ctx: Ctx, task: Task, agentUrl: string): Promise<JsonObject> {
  const written = dialect.taskResult(await inlineFiles(task, ctx.signal));
  if (!isObject(written)) throw new Error('a task is an object');
  const metadata = isObject(written.metadata) ? written.metadata : {};
  return { ...written, metadata: { ...metadata, agentUrl } };
}
