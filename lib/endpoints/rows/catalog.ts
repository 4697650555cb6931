import { searchQuerySchema } from '../../discovery/schema';
import { deleteAgent, getOneAgent, patchAgent } from '../agent';
import { postAcceptCard } from '../agent-card-accept';
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
import type { Row } from '../row';

export const catalogRows: Row[] = [
  {
    method: 'GET',
    path: '/api/agents',
    endpoint: getAgents,
    about: { part: 'Agents', summary: 'Search the catalogue', query: searchQuerySchema, answer: searchPage },
  },
  {
    method: 'POST',
    path: '/api/agents',
    endpoint: postAgent,
    about: {
      part: 'Agents',
      summary: 'List an agent by the address of its card',
      more: '200 when you had listed this address.',
      answer: agentView,
      status: 201,
      problems: ['card_invalid', 'card_unreachable', 'agent_url_taken', 'confirm_origin', 'url_refused'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/preview',
    endpoint: postAgentPreview,
    about: {
      part: 'Agents',
      summary: 'Read a card without listing it',
      answer: agentPreview,
      problems: ['card_invalid', 'card_unreachable', 'url_refused'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug',
    endpoint: getOneAgent,
    about: { part: 'Agents', summary: 'Read one agent', answer: oneAgent, problems: ['gone'] },
  },
  {
    method: 'PATCH',
    path: '/api/agents/:slug',
    endpoint: patchAgent,
    about: { part: 'Agents', summary: 'Change a listing', answer: agentView },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug',
    endpoint: deleteAgent,
    about: { part: 'Agents', summary: 'Withdraw an agent' },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/credentials',
    endpoint: putAgentCredentials,
    about: { part: 'Agents', summary: 'Store what your agent asks callers for', answer: credentialView },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/credentials',
    endpoint: deleteAgentCredentials,
    about: { part: 'Agents', summary: 'Forget what your agent asks callers for' },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/ownership',
    endpoint: getAgentOwnership,
    about: { part: 'Agents', summary: 'Tell how to prove that the host is yours', answer: ownershipView },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/ownership',
    endpoint: postAgentOwnership,
    about: { part: 'Agents', summary: 'Look for the proof now', answer: ownershipView },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/cards',
    endpoint: getCardVersions,
    about: {
      part: 'Agents',
      summary: 'List the cards that an agent was listed with',
      answer: listOf(cardVersion),
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'GET',
    path: '/api/publishers/:handle',
    endpoint: getOnePublisher,
    about: {
      part: 'Agents',
      summary: 'Read a publisher and their listings',
      answer: publisherPage,
      problems: ['not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/publishers/own',
    endpoint: putOwnPublisher,
    about: {
      part: 'Agents',
      summary: 'Set how you are shown as a publisher',
      answer: publisherProfile,
      problems: ['conflict'],
    },
  },
  { method: 'GET', path: '/agents/:slug/icon', endpoint: agentIcon },
  { method: 'GET', path: '/agents/:slug/.well-known/agent-card.json', endpoint: agentCard },
  {
    method: 'POST',
    path: '/api/agents/:slug/card/accept',
    endpoint: postAcceptCard,
    about: { part: 'Agents', summary: 'Take the card that waits', answer: agentView, problems: ['conflict'] },
  },
  { method: 'GET', path: '/agents/:slug/.well-known/agent.json', endpoint: agentJson },
  { method: 'GET', path: '/.well-known/agent-card.json', endpoint: marketplaceCard },
  { method: 'GET', path: '/.well-known/agent.json', endpoint: marketplaceJson },
  { method: 'GET', path: '/agents/:slug/upstream-card.json', endpoint: upstreamCard },
];
