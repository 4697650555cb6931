import { endpoint } from '../../http/endpoint';
import type { Handler } from '../../http/handler';
import { pathOf } from '../../tasks/endpoints/shared-path';

/** `POST /`, `POST /agents/{slug}/society`: Society. */
export const society: Handler = pathOf(() => 'society');

/** `POST /tasks/process`, `POST /agents/{slug}/tasks/process`: Society AI. */
export const societyAi: Handler = pathOf(() => 'societyai');

/** `POST /v1/agent-systems/{slug}`, `/v1/agent-systems/{slug}/a2a` and `/v1/agents/{slug}/a2a`: Orloj. */
export const orloj: Handler = pathOf(() => 'orloj');

/**
 * `POST /a2a`: Orloj's dialect for its methods; other clients use this path too and receive the dialect of their
 * request.
 */
export const sharedA2a = endpoint({
  method: 'POST',
  path: '/a2a',
  serve: pathOf((method) => (/^(?:$|tasks?\/)/.test(method) ? 'orloj' : undefined)),
});

/** `POST /a2a/rpc`, `POST /agents/{slug}/a2a/rpc`: AgentOS. */
export const agentOs: Handler = pathOf(() => 'agentos');
