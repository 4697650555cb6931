import { deleteAgent, getOneAgent, patchAgent } from '../agent';
import { postAcceptCard } from '../agent-card-accept';
import { agentCard, agentJson, marketplaceCard, marketplaceJson, upstreamCard } from '../agent-cards';
import { deleteAgentCredentials, putAgentCredentials } from '../agent-credentials';
import { agentIcon } from '../agent-icon';
import { getAgentOwnership, postAgentOwnership } from '../agent-ownership';
import { postAgentPreview } from '../agent-preview';
import { getCardVersions } from '../agent-versions';
import { getAgents, postAgent } from '../agents';
import { getOnePublisher, putOwnPublisher } from '../publishers';
import type { Row } from '../row';

export const catalogRows: Row[] = [
  { method: 'GET', path: '/api/agents', endpoint: getAgents },
  { method: 'POST', path: '/api/agents', endpoint: postAgent },
  { method: 'POST', path: '/api/agents/preview', endpoint: postAgentPreview },
  { method: 'GET', path: '/api/agents/:slug', endpoint: getOneAgent },
  { method: 'PATCH', path: '/api/agents/:slug', endpoint: patchAgent },
  { method: 'DELETE', path: '/api/agents/:slug', endpoint: deleteAgent },
  { method: 'PUT', path: '/api/agents/:slug/credentials', endpoint: putAgentCredentials },
  { method: 'DELETE', path: '/api/agents/:slug/credentials', endpoint: deleteAgentCredentials },
  { method: 'GET', path: '/api/agents/:slug/ownership', endpoint: getAgentOwnership },
  { method: 'POST', path: '/api/agents/:slug/ownership', endpoint: postAgentOwnership },
  {
    method: 'GET',
    path: '/api/agents/:slug/versions',
    endpoint: getCardVersions,
    about: { part: 'Agents', summary: 'List the cards that an agent was listed with', problems: ['not_found', 'gone'] },
  },
  {
    method: 'GET',
    path: '/api/publishers/:handle',
    endpoint: getOnePublisher,
    about: { part: 'Agents', summary: 'Read a publisher and their listings', problems: ['not_found'] },
  },
  {
    method: 'PUT',
    path: '/api/publishers/own',
    endpoint: putOwnPublisher,
    about: { part: 'Agents', summary: 'Set how you are shown as a publisher', problems: ['conflict'] },
  },
  { method: 'GET', path: '/agents/:slug/icon', endpoint: agentIcon },
  { method: 'GET', path: '/agents/:slug/.well-known/agent-card.json', endpoint: agentCard },
  { method: 'POST', path: '/api/agents/:slug/card/accept', endpoint: postAcceptCard },
  { method: 'GET', path: '/agents/:slug/.well-known/agent.json', endpoint: agentJson },
  { method: 'GET', path: '/.well-known/agent-card.json', endpoint: marketplaceCard },
  { method: 'GET', path: '/.well-known/agent.json', endpoint: marketplaceJson },
  { method: 'GET', path: '/agents/:slug/upstream-card.json', endpoint: upstreamCard },
];
