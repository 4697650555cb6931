import { a2aJsonrpc } from '../a2a-jsonrpc';
import { agentOs, neutralA2a, orloj, sharedA2a, society, societyAi } from '../a2a-paths';
import { legacySystemCard } from '../agent-cards';
import { getDeadLetters, postAgentPush } from '../agent-push';
import { listOf } from '../answers/common';
import { deadLetter, pushReceiver } from '../answers/pushes';
import { getPushReceivers, removePushReceiver } from '../push-receivers';
import type { Route } from '../route';
import { a2aRestRoutes } from './a2a-rest';

export const gatewayRoutes: Route[] = [
  { method: 'POST', path: '/agents/:slug/a2a/jsonrpc', endpoint: a2aJsonrpc },
  ...a2aRestRoutes,
  {
    method: 'GET',
    path: '/api/push/dead-letters',
    endpoint: getDeadLetters,
    docs: { tag: 'Console', summary: 'List pushes that nobody took', response: listOf(deadLetter) },
  },
  {
    method: 'GET',
    path: '/api/push/receivers',
    endpoint: getPushReceivers,
    docs: {
      tag: 'Account',
      summary: 'List where updates of your tasks are pushed to',
      description: 'The latest 200, also those that an agent set which acts for you.',
      response: listOf(pushReceiver),
    },
  },
  {
    method: 'DELETE',
    path: '/api/push/receivers/:id',
    endpoint: removePushReceiver,
    docs: { tag: 'Account', summary: 'Delete a push receiver', problems: ['not_found'] },
  },
  {
    method: 'POST',
    path: '/api/push/:task',
    endpoint: postAgentPush,
    docs: {
      tag: 'Agents',
      summary: 'Tell that a task of yours moved',
      description: 'Known by the secret that came with the send, in `X-A2A-Notification-Token`. The body is not read.',
    },
  },
  { method: 'POST', path: '/agents/:slug/a2a/rpc', endpoint: agentOs },
  { method: 'POST', path: '/agents/:slug/society', endpoint: society },
  { method: 'POST', path: '/agents/:slug/tasks/process', endpoint: societyAi },
  { method: 'GET', path: '/agents/:slug/society/.well-known/agent.json', endpoint: legacySystemCard('society') },
  {
    method: 'GET',
    path: '/agents/:slug/tasks/process/.well-known/agent.json',
    endpoint: legacySystemCard('societyai'),
  },
  { method: 'GET', path: '/agents/:slug/a2a/rpc/.well-known/agent.json', endpoint: legacySystemCard('agentos') },
  { method: 'GET', path: '/v1/agent-systems/:slug/.well-known/agent.json', endpoint: legacySystemCard('orloj') },
  { method: 'POST', path: '/v1/agent-systems/:slug', endpoint: orloj },
  { method: 'POST', path: '/v1/agent-systems/:slug/a2a', endpoint: orloj },
  { method: 'POST', path: '/v1/agents/:slug/a2a', endpoint: orloj },
  { method: 'POST', path: '/', endpoint: society },
  { method: 'POST', path: '/a2a', endpoint: sharedA2a },
  { method: 'POST', path: '/a2a/jsonrpc', endpoint: neutralA2a },
  { method: 'POST', path: '/a2a/rpc', endpoint: agentOs },
  { method: 'POST', path: '/tasks/process', endpoint: societyAi },
];
