import { cardEndpoints } from '../../catalog/endpoints/agent-cards';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { a2aJsonrpc } from './jsonrpc';
import { getDeadLetters, getPushReceivers, postAgentPush, removePushReceiver } from './push';
import { a2aRestEndpoints } from './rest';
import { neutralA2a } from './shared-path';

export const a2aEndpoints: Endpoint[] = [
  ...cardEndpoints,
  endpoint({ method: 'POST', path: '/agents/:slug/a2a/jsonrpc', serve: a2aJsonrpc }),
  ...a2aRestEndpoints,
  getDeadLetters,
  getPushReceivers,
  removePushReceiver,
  postAgentPush,
  neutralA2a,
];
