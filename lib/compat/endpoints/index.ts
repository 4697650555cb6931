import { type Endpoint, endpoint } from '../../http/endpoint';
import type { Handler } from '../../http/handler';
import { pathOf } from '../../tasks/endpoints/shared-path';
import { agentOsClientEndpoints } from './agentos-client';

/** `POST /`, `POST /agents/{slug}/society`: Society. */
const society: Handler = pathOf(() => 'society');

/** `POST /tasks/process`, `POST /agents/{slug}/tasks/process`: Society AI. */
const societyAi: Handler = pathOf(() => 'societyai');

/** `POST /v1/agent-systems/{slug}`, `/v1/agent-systems/{slug}/a2a` and `/v1/agents/{slug}/a2a`: Orloj. */
const orloj: Handler = pathOf(() => 'orloj');

/** `POST /a2a/rpc`, `POST /agents/{slug}/a2a/rpc`: AgentOS. */
const agentOs: Handler = pathOf(() => 'agentos');

/**
 * `POST /a2a`: Orloj's dialect for its methods; other clients use this path too and receive the dialect of their
 * request.
 */
const sharedA2a = endpoint({
  method: 'POST',
  path: '/a2a',
  serve: pathOf((method) => (/^(?:$|tasks?\/)/.test(method) ? 'orloj' : undefined)),
});

/** The paths of older systems. Parley's own clients use none of them. */
export const compatEndpoints: Endpoint[] = [
  ...agentOsClientEndpoints,
  endpoint({ method: 'POST', path: '/agents/:slug/a2a/rpc', serve: agentOs }),
  endpoint({ method: 'POST', path: '/agents/:slug/society', serve: society }),
  endpoint({ method: 'POST', path: '/agents/:slug/tasks/process', serve: societyAi }),
  endpoint({ method: 'POST', path: '/v1/agent-systems/:slug', serve: orloj }),
  endpoint({ method: 'POST', path: '/v1/agent-systems/:slug/a2a', serve: orloj }),
  endpoint({ method: 'POST', path: '/v1/agents/:slug/a2a', serve: orloj }),
  endpoint({ method: 'POST', path: '/', serve: society }),
  sharedA2a,
  endpoint({ method: 'POST', path: '/a2a/rpc', serve: agentOs }),
  endpoint({ method: 'POST', path: '/tasks/process', serve: societyAi }),
];
