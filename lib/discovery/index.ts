export { computeStandings } from './compute-standings';
export { getStanding, probeIntervals } from './get-standing';
export { countParts, listListed } from './list-listed';
export { weights, windows } from './score';
export { searchAgents } from './search-agents';
export { markDue as markStandingDue } from './store/standings';
export { writeLlmsText } from './write-llms-text';
export { writeFeed, writeSitemap, writeSitemapIndex } from './write-xml';
