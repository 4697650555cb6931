export {
  authorize,
  hasScope,
  isAdmin,
  isRecentlyAuthenticated,
  requireAdmin,
  requireFreshAuth,
  type UserRule,
} from './authorization';
export { describeUserAgent } from './describe-user-agent';
export { linkExpired } from './errors';
export { announcements, type ChangeKind } from './guards/announcements';
export { announceChanges, findUndoableChange, recordChange } from './guards/changes';
export { type GuardedChange, passkeyMissing, proveChange, reviewChange } from './guards/prove-change';
export { cancelRecovery, completeRecoveries, findRecovery, requestRecovery } from './guards/recovery';
export { type Guard, guards } from './guards/table';
export { endSessionsAfterUndo, limitLinkAttempts, restoreSignIn } from './guards/undo';
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
export { findLinkOwner, requestLink, signInWithLink } from './magic-links';
export { isMailServerReachable, isSmtpConfigured, sendMail } from './mail';
export {
  describeUnsubscription,
  listNotificationPreferences,
  notifyPerson,
  unsubscribe,
  updateNotificationPreferences,
} from './notifications';
export {
  challengeOf,
  createAuthenticationOptions,
  type PasskeyEvidence,
  verifyAssertion,
  verifyEvidence,
} from './passkey-authentication';
export { createRegistrationOptions, verifyRegistration } from './passkey-registration';
export { listPasskeys, removePasskey, renamePasskey } from './passkeys';
export { ensureLocalUser, reauthenticate, signInWithPassword } from './password-sign-in';
export { changePassword, type EndTokens, resetPassword } from './passwords';
export { getProfile, readProfile, renameUser } from './profile';
export { listProviders, resolveProviderAccount, sessionAdapter } from './providers';
export { limitProviderSignIns } from './rate-limits';
export { findUser } from './session-cache';
export {
  endAllSessions,
  endOtherSessions,
  endSession,
  findActiveSession,
  findSessionActor,
  listSessions,
  type StartedSession,
  signOut,
} from './sessions';
export { confirmSignUp, findPendingSignUp, signUp } from './sign-up';
export { consumeChange, type OpenChange as GuardChange, selectChanges } from './store/guarded-changes';
export type { ClientInfo } from './store/sessions';
export { deleteUser } from './store/users';
