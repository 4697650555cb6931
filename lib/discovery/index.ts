export { countParts, listListed } from './list-listed';
export { searchAgents } from './search-agents';
export { writeLlmsText } from './write-llms-text';
export { writeFeed, writeSitemap, writeSitemapIndex } from './write-xml';
