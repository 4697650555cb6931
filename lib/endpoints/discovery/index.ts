import type { Endpoint } from '../endpoint';
import {
  deleteCollectedAgent,
  deleteCollection,
  getCollections,
  getOneCollection,
  patchCollection,
  postCollection,
  putCollectedAgent,
} from './collections';
import { agentBadge, getAgentProbes, getAgentRanking } from './rankings';

export const discoveryEndpoints: Endpoint[] = [
  getAgentRanking,
  getAgentProbes,
  agentBadge,
  getCollections,
  postCollection,
  getOneCollection,
  patchCollection,
  deleteCollection,
  putCollectedAgent,
  deleteCollectedAgent,
];
