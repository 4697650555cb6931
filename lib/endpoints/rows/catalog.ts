import { searchQuerySchema } from '../../discovery/schema';
import { deleteAgent, getOneAgent, patchAgent } from '../agent';
import { postApproveCard } from '../agent-card-approval';
import { agentCard, agentJson, marketplaceCard, marketplaceJson, upstreamCard } from '../agent-cards';
import { deleteAgentCredentials, putAgentCredentials } from '../agent-credentials';
import { agentIcon } from '../agent-icon';
import { getAgentOwnership, postAgentOwnership } from '../agent-ownership';
import { postAgentPreview } from '../agent-preview';
import { getCardVersions } from '../agent-versions';
import { getAgents, postAgent } from '../agents';
import {
  agentView,
  credentialView,
  oneAgent,
  ownershipView,
  publisherPage,
  publisherProfile,
  searchPage,
} from '../answers/agents';
import { agentPreview, cardVersion } from '../answers/cards';
import { listOf } from '../answers/common';
import { getOnePublisher, putOwnPublisher } from '../publishers';
import type { Route } from '../route';

export const catalogRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/agents',
    endpoint: getAgents,
    docs: { tag: 'Agents', summary: 'Search the catalogue', query: searchQuerySchema, response: searchPage },
  },
  {
    method: 'POST',
    path: '/api/agents',
    endpoint: postAgent,
    docs: {
      tag: 'Agents',
      summary: 'List an agent by the address of its card',
      description: '200 when you had listed this address.',
      response: agentView,
      status: 201,
      problems: ['card_invalid', 'card_unreachable', 'agent_url_taken', 'confirm_origin', 'url_refused'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/preview',
    endpoint: postAgentPreview,
    docs: {
      tag: 'Agents',
      summary: 'Read a card without listing it',
      response: agentPreview,
      problems: ['card_invalid', 'card_unreachable', 'url_refused'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug',
    endpoint: getOneAgent,
    docs: { tag: 'Agents', summary: 'Read one agent', response: oneAgent, problems: ['gone'] },
  },
  {
    method: 'PATCH',
    path: '/api/agents/:slug',
    endpoint: patchAgent,
    docs: { tag: 'Agents', summary: 'Change a listing', response: agentView },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug',
    endpoint: deleteAgent,
    docs: { tag: 'Agents', summary: 'Withdraw an agent' },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/credentials',
    endpoint: putAgentCredentials,
    docs: { tag: 'Agents', summary: 'Store what your agent asks callers for', response: credentialView },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/credentials',
    endpoint: deleteAgentCredentials,
    docs: { tag: 'Agents', summary: 'Forget what your agent asks callers for' },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/ownership',
    endpoint: getAgentOwnership,
    docs: { tag: 'Agents', summary: 'Tell how to prove that the host is yours', response: ownershipView },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/ownership',
    endpoint: postAgentOwnership,
    docs: { tag: 'Agents', summary: 'Look for the proof now', response: ownershipView },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/cards',
    endpoint: getCardVersions,
    docs: {
      tag: 'Agents',
      summary: 'List the cards that an agent was listed with',
      response: listOf(cardVersion),
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'GET',
    path: '/api/publishers/:handle',
    endpoint: getOnePublisher,
    docs: {
      tag: 'Agents',
      summary: 'Read a publisher and their listings',
      response: publisherPage,
      problems: ['not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/publishers/own',
    endpoint: putOwnPublisher,
    docs: {
      tag: 'Agents',
      summary: 'Set how you are shown as a publisher',
      response: publisherProfile,
      problems: ['conflict'],
    },
  },
  { method: 'GET', path: '/agents/:slug/icon', endpoint: agentIcon },
  { method: 'GET', path: '/agents/:slug/.well-known/agent-card.json', endpoint: agentCard },
  {
    method: 'POST',
    path: '/api/agents/:slug/card/accept',
    endpoint: postApproveCard,
    docs: { tag: 'Agents', summary: 'Take the card that waits', response: agentView, problems: ['conflict'] },
  },
  { method: 'GET', path: '/agents/:slug/.well-known/agent.json', endpoint: agentJson },
  { method: 'GET', path: '/.well-known/agent-card.json', endpoint: marketplaceCard },
  { method: 'GET', path: '/.well-known/agent.json', endpoint: marketplaceJson },
  { method: 'GET', path: '/agents/:slug/upstream-card.json', endpoint: upstreamCard },
];
