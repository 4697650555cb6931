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
import type { Row } from '../row';

export const discoveryRows: Row[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/standing',
    endpoint: getAgentStanding,
    about: {
      part: 'Agents',
      summary: 'Read how an agent stands',
      more: 'Health and by which check it is known, uptime and latency with their windows, use, rating, and the score with every part of it.',
      answer: standingView,
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/probes',
    endpoint: getAgentProbes,
    about: {
      part: 'Agents',
      summary: 'List the latest checks of an agent',
      more: 'For its team. Failed checks come with the request and the answer, secrets masked. `failed=1`: those alone; `limit`: 1 to 100.',
      answer: listOf(probeView),
      problems: ['not_found', 'gone'],
    },
  },
  { method: 'GET', path: '/agents/:slug/badge.svg', endpoint: agentBadge },
  {
    method: 'GET',
    path: '/api/collections',
    endpoint: getCollections,
    about: {
      part: 'Agents',
      summary: 'List collections',
      more: 'Those that everybody sees, recommended ones first, and one’s own. `agent`: a slug; `holds` then tells which of one’s own hold it.',
      answer: collections,
    },
  },
  {
    method: 'POST',
    path: '/api/collections',
    endpoint: postCollection,
    about: {
      part: 'Agents',
      summary: 'Make a collection',
      answer: collectionSummary,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'GET',
    path: '/api/collections/:id',
    endpoint: getOneCollection,
    about: {
      part: 'Agents',
      summary: 'Read a collection with its agents',
      answer: collectionView,
      problems: ['not_found'],
    },
  },
  {
    method: 'PATCH',
    path: '/api/collections/:id',
    endpoint: patchCollection,
    about: {
      part: 'Agents',
      summary: 'Change a collection',
      answer: collectionSummary,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/collections/:id',
    endpoint: deleteCollection,
    about: { part: 'Agents', summary: 'Delete a collection', problems: ['not_found'] },
  },
  {
    method: 'PUT',
    path: '/api/collections/:id/agents/:slug',
    endpoint: putCollectedAgent,
    about: { part: 'Agents', summary: 'Put an agent into a collection', problems: ['not_found', 'gone', 'conflict'] },
  },
  {
    method: 'DELETE',
    path: '/api/collections/:id/agents/:slug',
    endpoint: deleteCollectedAgent,
    about: { part: 'Agents', summary: 'Take an agent out of a collection', problems: ['not_found'] },
  },
];
