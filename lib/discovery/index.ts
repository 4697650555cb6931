export { getArdEntry, getArdManifest, listArdEntries, searchArd } from './ard/registry';
export {
  computeRankings,
  getRanking,
  probeIntervals,
  renderBadge,
  renderRankingLines,
} from './compute-rankings';
export {
  countSitemapParts,
  listSitemapEntries,
  renderFeed,
  renderLlmsText,
  renderSitemap,
  renderSitemapIndex,
} from './crawler-documents';
export { translateToEnglish } from './languages/to-english';
export {
  addAgentToCollection,
  changeCollection,
  createCollection,
  deleteOwnCollection,
  getCollection,
  listCollections,
  readOwnCollections,
  removeAgentFromCollection,
} from './manage-collections';
export { getMcpServer, listMcpServers } from './mcp-registry';
export { MIN_DESCRIPTION_LENGTH, SCORE_WEIGHTS } from './ranking/score';
export {
  changeSavedSearch,
  deleteOwnSavedSearch,
  endFeed,
  listSavedSearches,
  renderSavedSearchFeed,
  renewFeed,
  saveSearch,
} from './saved/manage-searches';
export { runSavedSearches } from './saved/run-searches';
export { getSearchHelp, listSimilar, searchAgents } from './search-agents';
export { eraseCollections } from './store/change-collections';
export { eraseTaskDays, markRankingDue, nextRankingDue } from './store/ranking-rows';
export { nextSavedSearch } from './store/saved-search-rows';
