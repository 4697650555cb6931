import { type Endpoint, endpoint } from '../../http/endpoint';
import { agentOsClientEndpoints } from './agentos-client';
import { agentOs, orloj, sharedA2a, society, societyAi } from './legacy-paths';

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
