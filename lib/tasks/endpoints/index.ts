import { cardEndpoints } from '../../catalog/endpoints/agent-cards';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { agentOsClientEndpoints } from './agentos-client';
import { a2aJsonrpc } from './jsonrpc';
import { agentOs, neutralA2a, orloj, sharedA2a, society, societyAi } from './legacy-paths';
import { getDeadLetters, getPushReceivers, postAgentPush, removePushReceiver } from './push';
import { a2aRestEndpoints } from './rest';

export const a2aEndpoints: Endpoint[] = [
  ...cardEndpoints,
  endpoint({ method: 'POST', path: '/agents/:slug/a2a/jsonrpc', serve: a2aJsonrpc }),
  ...a2aRestEndpoints,
  ...agentOsClientEndpoints,
  getDeadLetters,
  getPushReceivers,
  removePushReceiver,
  postAgentPush,
  endpoint({ method: 'POST', path: '/agents/:slug/a2a/rpc', serve: agentOs }),
  endpoint({ method: 'POST', path: '/agents/:slug/society', serve: society }),
  endpoint({ method: 'POST', path: '/agents/:slug/tasks/process', serve: societyAi }),
  endpoint({ method: 'POST', path: '/v1/agent-systems/:slug', serve: orloj }),
  endpoint({ method: 'POST', path: '/v1/agent-systems/:slug/a2a', serve: orloj }),
  endpoint({ method: 'POST', path: '/v1/agents/:slug/a2a', serve: orloj }),
  endpoint({ method: 'POST', path: '/', serve: society }),
  sharedA2a,
  neutralA2a,
  endpoint({ method: 'POST', path: '/a2a/rpc', serve: agentOs }),
  endpoint({ method: 'POST', path: '/tasks/process', serve: societyAi }),
];
