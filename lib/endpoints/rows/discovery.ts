import { agentBadge } from '../agent-badge';
import { getAgentProbes, getAgentStanding } from '../agent-standing';
import { listOf } from '../answers/common';
import { collectionSummary, collections, collectionView, probeView, standingView } from '../answers/standing';
import {
  deleteCollectedAgent,
  deleteCollection,
  getCollections,
  getOneCollection,
  patchCollection,
  postCollection,
  putCollectedAgent,
} from '../collections';
import type { Route } from '../route';

export const discoveryRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/standing',
    endpoint: getAgentStanding,
    docs: {
      tag: 'Agents',
      summary: 'Read how an agent stands',
      description:
        'Health and by which check it is known, uptime and latency with their windows, use, rating, and the score with every part of it.',
      response: standingView,
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/probes',
    endpoint: getAgentProbes,
    docs: {
      tag: 'Agents',
      summary: 'List the latest checks of an agent',
      description:
        'For its team. Failed checks come with the request and the answer, secrets masked. `failed=1`: those alone; `limit`: 1 to 100.',
      response: listOf(probeView),
      problems: ['not_found', 'gone'],
    },
  },
  { method: 'GET', path: '/agents/:slug/badge.svg', endpoint: agentBadge },
  {
    method: 'GET',
    path: '/api/collections',
    endpoint: getCollections,
    docs: {
      tag: 'Agents',
      summary: 'List collections',
      description:
        'Those that everybody sees, recommended ones first, and one’s own. `agent`: a slug; `holds` then tells which of one’s own hold it.',
      response: collections,
    },
  },
  {
    method: 'POST',
    path: '/api/collections',
    endpoint: postCollection,
    docs: {
      tag: 'Agents',
      summary: 'Make a collection',
      response: collectionSummary,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'GET',
    path: '/api/collections/:id',
    endpoint: getOneCollection,
    docs: {
      tag: 'Agents',
      summary: 'Read a collection with its agents',
      response: collectionView,
      problems: ['not_found'],
    },
  },
  {
    method: 'PATCH',
    path: '/api/collections/:id',
    endpoint: patchCollection,
    docs: {
      tag: 'Agents',
      summary: 'Change a collection',
      response: collectionSummary,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/collections/:id',
    endpoint: deleteCollection,
    docs: { tag: 'Agents', summary: 'Delete a collection', problems: ['not_found'] },
  },
  {
    method: 'PUT',
    path: '/api/collections/:id/agents/:slug',
    endpoint: putCollectedAgent,
    docs: { tag: 'Agents', summary: 'Put an agent into a collection', problems: ['not_found', 'gone', 'conflict'] },
  },
  {
    method: 'DELETE',
    path: '/api/collections/:id/agents/:slug',
    endpoint: deleteCollectedAgent,
    docs: { tag: 'Agents', summary: 'Take an agent out of a collection', problems: ['not_found'] },
  },
];
