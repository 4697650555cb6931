export { acceptCard } from './accept-card';
export { openAgentCredential, removeAgentCredential, setAgentCredential } from './agent-credential';
export { checkOwnership, getOwnership, recheckOwnerships } from './check-ownership';
export { findAgent, findAgentById } from './find-agent';
export { getAgent } from './get-agent';
export {
  type CardStanding,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './get-agent-card';
export { getAgentPage } from './get-agent-page';
export { listOwnAgents, readOwnAgents } from './list-own-agents';
export { maySeeAgent, requireOwned, requireVisible } from './policy';
export { previewAgent } from './preview-agent';
export type { AgentRecord } from './record';
export { refreshCards } from './refresh-cards';
export { registerAgent } from './register-agent';
export { reviewCard } from './review-card';
export { foldText, type SearchToken, tokensOf } from './search-text';
export { eraseOwner } from './store/erase-owner';
export { restoreAgent, suspendAgent } from './suspend-agent';
export { type SummarySource, toSummary } from './to-wire';
export { updateAgent } from './update-agent';
export { withdrawAgent } from './withdraw-agent';
export { withdrawAllAgents } from './withdraw-all-agents';
export { writeMarkdown } from './write-markdown';
