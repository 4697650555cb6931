import type { Endpoint } from '../../http/endpoint';
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
import { mcpRegistryEndpoints } from './mcp-registry';
import { agentBadge, getAgentProbes, getAgentRanking } from './rankings';
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
