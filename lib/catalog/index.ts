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
export { lintCard, previewAgent } from './agents/lint-card';
export { getOauthToken, invalidateOauthToken } from './agents/oauth-token';
export {
  type CardCacheInfo,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './agents/published-card';
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
  isOpen,
  isOpenToGuests,
  maySeeAgent,
  requireMember,
  requireRole,
  requireVisible,
  roleOf,
  roleOfPerson,
} from './authorization';
export { listCardVersions } from './card-updates/card-history';
export { getCardFailure, refreshAgent, refreshCards } from './card-updates/refresh-cards';
export { approveCardUpdate, getPendingCard, rejectCardUpdate } from './card-updates/review-card-update';
export { applyOfferedCard } from './cards/offered-card';
export { renderMarkdown } from './cards/render-markdown';
export { checkImport, listImport, readImport } from './imports/read-import';
export { foldText, type SearchToken, tokensOf } from './names/folded-text';
export type { AgentRecord } from './record';
export { isBuiltInUrl, isHubUrl, isMcpServer, priceSummaryOf } from './record';
export { selectSuspendedAgents } from './store/agent-rows';
export { recordVersionDowngrade } from './store/card-rows';
export { eraseOwner } from './store/change-agent';
export { erasePublisher } from './store/publisher-rows';
export { type SearchRanking, writeSearchRankings } from './store/search-rows';
export { findLookalike, listLookalikes } from './store/skeletons';
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
