export {
  hasNoCredential,
  openAgentCredential,
  removeAgentCredential,
  setAgentCredential,
} from './agent-credential';
export { iconUrlOf, type SummarySource, toSummary } from './agent-views';
export {
  hasRole,
  maySeeAgent,
  requireMember,
  requireRole,
  requireVisible,
  roleOf,
  roleOfPerson,
} from './authorization';
export { listBuiltInAgent, withdrawBuiltInAgent } from './built-in';
export { isBuiltInUrl } from './built-in-url';
export { listCardVersions } from './diff-cards';
export { findAgent, findAgentById } from './find-agent';
export { findAgentByUrl } from './find-agent-by-url';
export { isHubUrl } from './hub-url';
export { getIcon, refreshIcons } from './icons';
export { checkImport, listImport } from './imports/check-import';
export { readImport } from './imports/read-import';
export { lintCard, previewAgent } from './lint-card';
export { backfillSkeletons, findLookalike, listLookalikes } from './lookalikes';
export { applyOfferedCard } from './offered-card';
export { checkOwnership, findOwnership, getOwnership, recheckOwnerships } from './ownership';
export { priceSummaryOf } from './price-summary';
export {
  type CardCacheInfo,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './published-card';
export { getOwnPublisher, getPublisher, setPublisher } from './publishers';
export {
  getAgent,
  getAgentForMember,
  getAgentPage,
  listOwnAgents,
  listSkillsForMember,
  readOwnAgents,
} from './read-agents';
export type { AgentRecord } from './record';
export { getCardFailure, refreshAgent, refreshCards } from './refresh-cards';
export { registerAgent } from './register-agent';
export { renderMarkdown } from './render-markdown';
export { approveCardUpdate, getPendingCard, rejectCardUpdate } from './review-card-update';
export { foldText, type SearchToken, tokensOf } from './search-text';
export { recordVersionDowngrade } from './store/card-versions';
export { eraseOwner } from './store/erase-owner';
export { erasePublisher } from './store/publishers';
export { type SearchRanking, writeSearchRankings } from './store/search-rows';
export {
  acceptInvitation,
  declineInvitation,
  getInvitation,
  inviteMember,
  withdrawInvitation,
} from './team/invitations';
export { changeMember, getTeam, listMemberships, removeMember, transferAgent } from './team/members';
export {
  restoreAgent,
  restoreWithdrawnAgent,
  suspendAgent,
  updateAgent,
  withdrawAgent,
  withdrawAllAgents,
} from './update-agent';
