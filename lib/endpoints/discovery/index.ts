import type { Endpoint } from '../endpoint';
import { aiCatalog, ardManifest, getArdEntries, getOneArdEntry, postArdExplore, postArdSearch } from './ard';
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
  ardManifest,
  aiCatalog,
  postArdSearch,
  postArdExplore,
  getArdEntries,
  getOneArdEntry,
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
