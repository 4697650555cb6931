export { searchAgents } from './search-agents';
