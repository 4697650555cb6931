import { findAgent, maySeeAgent } from '../../catalog';
import { CONCIERGE_SLUG } from '../../discovery/schema';
import { endpoint } from '../../http/endpoint';
import type { Handler } from '../../http/handler';
import { rpcRoute, type TargetCheck } from '../../http/routes/rpc-route';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type { LegacySystem, RpcRequest } from '../../protocol/a2a/dialects';
import { isObject, nonEmptyString } from '../../protocol/json';
import { handleA2aCall } from './jsonrpc';

/**
 * Returns the handler for a path that all agents, or those of a legacy system, share: a call names its agent in the
 * path or in the body.
 */
export function pathOf(legacySystemFor: (method: string) => LegacySystem | undefined): Handler {
  return rpcRoute(handleA2aCall, { path: { legacySystemFor, checkTarget } });
}

/** Requires that the target in the path or body is the token's agent. */
async function checkTarget({ actor, tokenSlug, pathSlug, rpc }: TargetCheck): Promise<void> {
  // The concierge forwards a message to the agent specified in its body.
  const named = tokenSlug === CONCIERGE_SLUG ? tokenSlug : targetIn(rpc);
  const target = pathSlug ?? named ?? env().DEFAULT_AGENT;
  if (target === tokenSlug) return;
  if (target === undefined) {
    const text =
      'The call names no agent. Name it in params.metadata.executor.name or params.metadata.agent, or call its own URL.';
    throw new ParleyError('invalid_params', text, { data: { agents: [tokenSlug] } });
  }
  await rejectOtherAgent(actor, tokenSlug, target);
}

/**
 * Rejects a call that names another agent than the token's. Does not reveal agents that the caller may not see.
 * @throws {ParleyError} `agent_not_found`, `invalid_token`
 */
export async function rejectOtherAgent(actor: CallerActor, tokenSlug: string, target: string): Promise<never> {
  const agent = await findAgent(target);
  if (agent && maySeeAgent(actor, agent)) {
    throw new ParleyError('invalid_token', `The token is for "${tokenSlug}". Get one for "${target}".`);
  }
  throw new ParleyError('agent_not_found', 'Agent not found, or you may not call it. Check the slug.', {
    data: { agent: target },
  });
}

/**
 * Returns the target that Society AI's `executor`, or `agent`, specifies in the metadata of the params or of the
 * message.
 */
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

/** `POST /a2a/jsonrpc`: responds in the dialect of the request. */
export const neutralA2a = endpoint({
  method: 'POST',
  path: '/a2a/jsonrpc',
  serve: pathOf(() => undefined),
});
