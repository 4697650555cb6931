import { findAgent, maySeeAgent } from '../catalog';
import type { StreamEndpoint } from '../http/endpoint';
import { rpcRoute } from '../http/routes/rpc-route';
import type { CallerActor } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import type { LegacySystem, RpcRequest } from '../protocol/a2a/dialects';
import { isObject, nonEmptyString } from '../protocol/json';
import { handleA2aCall } from './a2a-jsonrpc';

/** `POST /`, `POST /agents/{slug}/society`: Society. */
export const society: StreamEndpoint = pathOf(() => 'society');

/** `POST /tasks/process`, `POST /agents/{slug}/tasks/process`: Society AI. */
export const societyAi: StreamEndpoint = pathOf(() => 'societyai');

/** `POST /v1/agent-systems/{slug}` and `…/a2a` below it, and the older `/v1/agents/{slug}/a2a`: Orloj. */
export const orloj: StreamEndpoint = pathOf(() => 'orloj');

/** `POST /a2a`: Orloj where its methods are called; others use this path as well, so they are answered in their own. */
export const sharedA2a: StreamEndpoint = pathOf((method) => (/^(?:$|tasks?\/)/.test(method) ? 'orloj' : undefined));

/** `POST /a2a/rpc`, `POST /agents/{slug}/a2a/rpc`: AgentOS. */
export const agentOs: StreamEndpoint = pathOf(() => 'agentos');

/** `POST /a2a/jsonrpc`: every dialect, answered in the one that was read. */
export const neutralA2a: StreamEndpoint = pathOf(() => undefined);

function pathOf(seedFor: (method: string) => LegacySystem | undefined): StreamEndpoint {
  return rpcRoute(handleA2aCall, { legacySystemFor: seedFor, checkTarget });
}

/** The token names one agent; the path or the body must mean the same. */
async function checkTarget(call: {
  actor: CallerActor;
  tokenSlug: string;
  pathSlug: string | undefined;
  rpc: RpcRequest;
}): Promise<void> {
  const { actor, tokenSlug } = call;
  const target = call.pathSlug ?? targetIn(call.rpc) ?? env().DEFAULT_AGENT;
  if (target === tokenSlug) return;
  if (target === undefined) {
    const text = 'Name the agent in params.metadata.executor.name or params.metadata.agent, or call its own address.';
    throw new ParleyError('invalid_params', text, { data: { agents: [tokenSlug] } });
  }
  const agent = await findAgent(target);
  if (agent && maySeeAgent(actor, agent)) {
    throw new ParleyError('invalid_token', `The token is for "${tokenSlug}". Ask for one for "${target}".`);
  }
  throw new ParleyError('agent_not_found', 'There is no such agent that you may call.', { data: { agent: target } });
}

/** Society AI's executor, else the name alone; in the params or, as a caller of 0.3 and 1.0 may, in the message. */
function targetIn({ params }: RpcRequest): string | undefined {
  const message = isObject(params.message) ? params.message : {};
  for (const metadata of [params.metadata, message.metadata]) {
    if (!isObject(metadata)) continue;
    const executor = isObject(metadata.executor) ? nonEmptyString(metadata.executor.name) : undefined;
    const found = executor ?? nonEmptyString(metadata.agent);
    if (found !== undefined) return found;
  }
  return undefined;
}
