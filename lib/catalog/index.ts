export {
  hasNoCredential,
  openAgentCredential,
  removeAgentCredential,
  setAgentCredential,
} from './agents/agent-credential';
export { iconUrlOf, type SummarySource, toSummary } from './agents/agent-views';
export { listBuiltInAgent, withdrawBuiltInAgent } from './agents/built-in';
export { findAgent, findAgentById, findAgentByUrl } from './agents/find-agent';
export { getIcon, refreshIcons } from './agents/icons';
export { isBuiltInUrl, isHubUrl } from './agents/internal-urls';
export { priceSummaryOf } from './agents/price-summary';
export {
  getAgent,
  getAgentForMember,
  getAgentPage,
  listOwnAgents,
  listSkillsForMember,
  readOwnAgents,
} from './agents/read-agents';
export { registerAgent } from './agents/register-agent';
export {
  restoreAgent,
  restoreWithdrawnAgent,
  suspendAgent,
  updateAgent,
  withdrawAgent,
  withdrawAllAgents,
} from './agents/update-agent';
export {
  hasRole,
  isOpenToGuests,
  maySeeAgent,
  requireMember,
  requireRole,
  requireVisible,
  roleOf,
  roleOfPerson,
} from './authorization';
export { listCardVersions } from './cards/diff-cards';
export { lintCard, previewAgent } from './cards/lint-card';
export { applyOfferedCard } from './cards/offered-card';
export {
  type CardCacheInfo,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './cards/published-card';
export { getCardFailure, refreshAgent, refreshCards } from './cards/refresh-cards';
export { renderMarkdown } from './cards/render-markdown';
export { approveCardUpdate, getPendingCard, rejectCardUpdate } from './cards/review-card-update';
export { checkImport, listImport, readImport } from './imports/read-import';
export { foldText, type SearchToken, tokensOf } from './names/folded-text';
export { findLookalike, listLookalikes } from './names/lookalikes';
export type { AgentRecord } from './record';
export { recordVersionDowngrade } from './store/card-versions';
export { eraseOwner } from './store/change-agent';
export { erasePublisher } from './store/publisher-rows';
export { type SearchRanking, writeSearchRankings } from './store/search-rows';
export {
  acceptInvitation,
  declineInvitation,
  getInvitation,
  inviteMember,
  withdrawInvitation,
} from './team/invitations';
export { changeMember, getTeam, listMemberships, removeMember, transferAgent } from './team/members';
export { checkOwnership, findOwnership, getOwnership, recheckOwnerships } from './team/ownership';
export { getOwnPublisher, getPublisher, setPublisher } from './team/publishers';
