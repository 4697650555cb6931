export { sessionAdapter } from './adapter';
export { confirmSignUp } from './confirm-sign-up';
export { describeUserAgent } from './describe-user-agent';
export { endAllSessions } from './end-all-sessions';
export { endOtherSessions } from './end-other-sessions';
export { endSession } from './end-session';
export { ensureLocalUser } from './ensure-local-user';
export { findActiveSession } from './find-active-session';
export { findPendingSignUp } from './find-pending-sign-up';
export { findSessionActor } from './find-session-actor';
export { getProfile } from './get-profile';
export {
  confirmInput,
  deletionInput,
  magicLinkInput,
  notificationPreferencesInput,
  passkeyInput,
  passkeyNameInput,
  passwordInput,
  profileInput,
  resetInput,
  signInInput,
  signInLinkInput,
  signUpInput,
} from './inputs';
export { listSessions } from './list-sessions';
export { findLinkOwner } from './magic-links/find-link-owner';
export { requestLink } from './magic-links/request-link';
export { signInWithLink } from './magic-links/sign-in-with-link';
export { isMailServerReachable, isSmtpConfigured, sendMail } from './mail';
export { describeUnsubscription } from './notifications/describe-unsubscription';
export { listNotificationPreferences } from './notifications/list-notification-preferences';
export { notifyPerson } from './notifications/notify-person';
export { unsubscribe } from './notifications/unsubscribe';
export { updateNotificationPreferences } from './notifications/update-notification-preferences';
export { createAuthenticationOptions } from './passkeys/create-authentication-options';
export { createRegistrationOptions } from './passkeys/create-registration-options';
export { listPasskeys } from './passkeys/list-passkeys';
export { removePasskey } from './passkeys/remove-passkey';
export { renamePasskey } from './passkeys/rename-passkey';
export { type PasskeyEvidence, verifyAssertion } from './passkeys/verify-assertion';
export { verifyRegistration } from './passkeys/verify-registration';
export { changePassword } from './passwords/change-password';
export type { EndTokens } from './passwords/replace-password';
export { resetPassword } from './passwords/reset-password';
export { listProviders } from './providers';
export { limitProviderSignIns } from './rate-limits';
export { readProfile } from './read-profile';
export { reauthenticate } from './reauthenticate';
export { renameUser } from './rename-user';
export { isAdmin, requireAdmin } from './require-admin';
export { isRecentlyAuthenticated, requireFreshAuth } from './require-fresh-auth';
export { resolveProviderAccount } from './resolve-provider-account';
export { findUser } from './session-cache';
export { signInWithPassword } from './sign-in-with-password';
export { signOut } from './sign-out';
export { signUp } from './sign-up';
export type { StartedSession } from './start-session';
export type { ClientInfo } from './store/sessions';
export { deleteUser } from './store/users';
