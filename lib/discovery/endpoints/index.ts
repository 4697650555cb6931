import type { Endpoint } from '../../http/endpoint';
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
import {
  aiCatalog,
  ardManifest,
  getArdEntries,
  getOneArdEntry,
  mcpRegistryEndpoints,
  postArdExplore,
  postArdSearch,
} from './registries';
import {
  deleteSavedSearch,
  deleteSavedSearchFeed,
  getSavedSearches,
  patchSavedSearch,
  postSavedSearch,
  postSavedSearchFeed,
  savedSearchFeed,
} from './saved-searches';

export const discoveryEndpoints: Endpoint[] = [
  ardManifest,
  aiCatalog,
  postArdSearch,
  postArdExplore,
  getArdEntries,
  getOneArdEntry,
  ...mcpRegistryEndpoints,
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
  savedSearchFeed,
  getSavedSearches,
  postSavedSearch,
  patchSavedSearch,
  deleteSavedSearch,
  postSavedSearchFeed,
  deleteSavedSearchFeed,
];
