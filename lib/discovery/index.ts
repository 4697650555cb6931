export { listArdEntries } from './ard/list-entries';
export { getArdEntry, getArdManifest } from './ard/read-entries';
export { searchArd } from './ard/search-registry';
export {
  addAgentToCollection,
  changeCollection,
  createCollection,
  deleteOwnCollection,
  getCollection,
  listCollections,
  readOwnCollections,
  removeAgentFromCollection,
} from './collections';
export {
  countSitemapParts,
  listSitemapEntries,
  renderFeed,
  renderLlmsText,
  renderSitemap,
  renderSitemapIndex,
} from './crawler-documents';
export { listMcpServers } from './mcp-registry/list-servers';
export { getMcpServer } from './mcp-registry/read-server';
export { translateToEnglish } from './meaning/translate-to-english';
export { SCORE_WEIGHTS } from './ranking/ranking-weights';
export { computeRankings, getRanking, probeIntervals } from './ranking/rankings';
export { renderBadge, renderRankingLines } from './ranking/render-ranking';
export { renderSavedSearchFeed } from './saved/feed';
export { runSavedSearches } from './saved/run-searches';
export {
  changeSavedSearch,
  deleteOwnSavedSearch,
  endFeed,
  listSavedSearches,
  renewFeed,
  saveSearch,
} from './saved/saved-searches';
export { listSimilar, searchAgents } from './search/search-agents';
export { getSearchHelp } from './search/search-help';
export { eraseCollections } from './store/change-collections';
export { eraseTaskDays, markRankingDue, nextRankingDue } from './store/ranking-rows';
export { nextSavedSearch } from './store/saved-search-rows';
