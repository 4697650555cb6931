export {
  hasNoCredential,
  openAgentCredential,
  removeAgentCredential,
  setAgentCredential,
} from './agent-credential';
export { approveCardUpdate } from './approve-card-update';
export { backfillSkeletons } from './backfill-skeletons';
export { findOwnership, getCardFailure } from './card-status';
export { checkOwnership, getOwnership, recheckOwnerships } from './check-ownership';
export { findAgent, findAgentById } from './find-agent';
export { findLookalike, listLookalikes } from './find-lookalike';
export { getAgent } from './get-agent';
export {
  type CardCacheInfo,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './get-agent-card';
export { getAgentForMember, listSkillsForMember } from './get-agent-for-member';
export { getAgentPage } from './get-agent-page';
export { getPendingCard } from './get-pending-card';
export { getIcon } from './icons/get-icon';
export { refreshIcons } from './icons/refresh-icons';
export { lintCard } from './lint-card';
export { listCardVersions } from './list-card-versions';
export { listOwnAgents, readOwnAgents } from './list-own-agents';
export {
  hasRole,
  maySeeAgent,
  requireMember,
  requireRole,
  requireUser,
  requireVisible,
  roleOf,
  roleOfPerson,
} from './policy';
export { previewAgent } from './preview-agent';
export { getOwnPublisher, getPublisher } from './publishers/get-publisher';
export { setPublisher } from './publishers/set-publisher';
export type { AgentRecord } from './record';
export { refreshAgent } from './refresh-agent';
export { refreshCards } from './refresh-cards';
export { registerAgent } from './register-agent';
export { rejectCardUpdate } from './reject-card-update';
export { renderMarkdown } from './render-markdown';
export { restoreWithdrawnAgent } from './restore-withdrawn-agent';
export { foldText, type SearchToken, tokensOf } from './search-text';
export { eraseOwner } from './store/erase-owner';
export { erasePublisher } from './store/publishers';
export { recordVersionDowngrade } from './store/record-version-downgrade';
export { type SearchRanking, writeSearchRankings } from './store/search-rows';
export { restoreAgent, suspendAgent } from './suspend-agent';
export { acceptInvitation, declineInvitation, getInvitation } from './team/answer-invitation';
export { changeMember, removeMember } from './team/change-member';
export { getTeam } from './team/get-team';
export { inviteMember } from './team/invite-member';
export { listMemberships } from './team/list-memberships';
export { transferAgent } from './team/transfer-agent';
export { withdrawInvitation } from './team/withdraw-invitation';
export { type SummarySource, toSummary } from './to-wire';
export { updateAgent } from './update-agent';
export { withdrawAgent } from './withdraw-agent';
export { withdrawAllAgents } from './withdraw-all-agents';
