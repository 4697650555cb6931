export {
  authorize,
  hasScope,
  isAdmin,
  isRecentlyAuthenticated,
  requireAdmin,
  requireFreshAuth,
  type UserRule,
} from './authorization';
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
export { isMailServerReachable, isSmtpConfigured, sendMail } from './mail/mail';
export {
  describeUnsubscription,
  listNotificationPreferences,
  notifyPerson,
  unsubscribe,
  updateNotificationPreferences,
} from './mail/notifications';
export {
  challengeOf,
  createAuthenticationOptions,
  type PasskeyEvidence,
  verifyAssertion,
  verifyEvidence,
} from './passkeys/passkey-authentication';
export { createRegistrationOptions, verifyRegistration } from './passkeys/passkey-registration';
export { listPasskeys, removePasskey, renamePasskey } from './passkeys/passkeys';
export { ensureLocalUser, reauthenticate, signInWithPassword } from './passwords/password-sign-in';
export { changePassword, type EndTokens, resetPassword } from './passwords/passwords';
export { getProfile, readProfile, renameUser } from './profile';
export { limitProviderSignIns } from './rate-limits';
export { describeUserAgent } from './sessions/describe-user-agent';
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
export { findLinkOwner, requestLink, signInWithLink } from './sign-in/magic-links';
export { listProviders, resolveProviderAccount, sessionAdapter } from './sign-in/providers';
export { confirmSignUp, findPendingSignUp, signUp } from './sign-in/sign-up';
export { consumeChange, type OpenChange as GuardChange, selectChanges } from './store/guarded-changes';
export type { ClientInfo } from './store/session-rows';
export { deleteUser } from './store/users';
