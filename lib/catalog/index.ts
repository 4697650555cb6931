export { acceptCard } from './accept-card';
export {
  isWithoutCredential,
  openAgentCredential,
  removeAgentCredential,
  setAgentCredential,
} from './agent-credential';
export { findOwnershipOf, getFailing } from './card-standing';
export { checkOwnership, getOwnership, recheckOwnerships } from './check-ownership';
export { completeLooks } from './complete-looks';
export { findAgent, findAgentById } from './find-agent';
export { findLookAlike, listLookAlikes } from './find-look-alike';
export { getAgent } from './get-agent';
export {
  type CardStanding,
  getAgentCard,
  getMarketplaceCard,
  getUpstreamCard,
  rewriteExtendedCard,
} from './get-agent-card';
export { getAgentPage } from './get-agent-page';
export { getManagedAgent, listManagedSkills } from './get-managed-agent';
export { getIcon } from './icons/get-icon';
export { refreshIcons } from './icons/refresh-icons';
export { keepCard } from './keep-card';
export { lintCard } from './lint-card';
export { listCardVersions } from './list-card-versions';
export { listOwnAgents, readOwnAgents } from './list-own-agents';
export {
  hasRole,
  maySeeAgent,
  requireMember,
  requirePerson,
  requireRole,
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
export { restoreWithdrawn } from './restore-withdrawn';
export { reviewCard } from './review-card';
export { foldText, type SearchToken, tokensOf } from './search-text';
export { markCalledOlder } from './store/called-older';
export { eraseOwner } from './store/erase-owner';
export { erasePublisher } from './store/publishers';
export { type SearchStanding, writeSearchStandings } from './store/search-rows';
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
export { writeMarkdown } from './write-markdown';
