export {
  authorize,
  authorizeChat,
  hasScope,
  isAdmin,
  isRecentlyAuthenticated,
  requireAdmin,
  requireFreshAuth,
  type UserRule,
} from './authorization';
export { type ChangeKind, isProofChange } from './change-announcements';
export { linkExpired } from './errors';
export { announceChanges, findUndoableChange, recordChange } from './guards/changes';
export {
  type Guard,
  type GuardedChange,
  guards,
  passkeyMissing,
  proveChange,
  reviewChange,
} from './guards/prove-change';
export {
  cancelRecovery,
  completeRecoveries,
  endSessionsAfterUndo,
  findRecovery,
  limitLinkAttempts,
  requestRecovery,
  restoreSignIn,
} from './guards/recovery';
export { createPayer, findActiveGuest, findGuestActor, findGuestNetwork, startGuest } from './guest-sessions';
export {
  assertionInput,
  cleanName,
  confirmInput,
  deletionInput,
  linkTokenInput,
  magicLinkInput,
  notificationPreferencesInput,
  passkeyInput,
  passkeyNameInput,
  passwordInput,
  profileInput,
  resetInput,
  signInInput,
  signUpInput,
} from './inputs';
export { isMailServerReachable, isSmtpConfigured, sendMail } from './mail/mail';
export {
  describeUnsubscription,
  listNotificationPreferences,
  notifyPerson,
  unsubscribe,
  updateNotificationPreferences,
} from './mail/notifications';
export {
  createRegistrationOptions,
  listPasskeys,
  removePasskey,
  renamePasskey,
  verifyRegistration,
} from './passkeys/passkeys';
export {
  changePassword,
  type EndTokens,
  ensureLocalUser,
  reauthenticate,
  resetPassword,
  signInWithPassword,
} from './passwords';
export { chooseLanguage, getProfile, readProfile, renameUser } from './profile';
export {
  challengeOf,
  createAuthenticationOptions,
  type PasskeyEvidence,
  verifyAssertion,
  verifyEvidence,
} from './proofs/passkey-authentication';
export { limitProviderSignIns } from './rate-limits';
export { findUser } from './sessions/session-cache';
export {
  endAllSessions,
  endOtherSessions,
  endSession,
  findActiveSession,
  findSessionActor,
  listSessions,
  type StartedSession,
  signOut,
} from './sessions/sessions';
export { describeUserAgent } from './sessions/user-agents';
export { findLinkOwner, requestLink, signInWithLink } from './sign-in/magic-links';
export { listProviders, resolveProviderAccount, sessionAdapter } from './sign-in/providers';
export { confirmSignUp, findPendingSignUp, signUp } from './sign-in/sign-up';
export { consumeChange, type OpenChange as GuardChange, selectChanges } from './store/guarded-changes';
export { deleteGuest, selectExpiredGuests } from './store/guest-rows';
export type { ClientInfo } from './store/session-rows';
export { deleteUser, selectLocaleOf } from './store/users';
