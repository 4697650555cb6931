export { sessionAdapter } from './adapter';
export { admitProviderIdentity } from './admit-provider-identity';
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
  linkMailInput,
  noticesInput,
  passkeyInput,
  passkeyNameInput,
  passwordInput,
  profileInput,
  resetInput,
  signInInput,
  signInLinkInput,
  signUpInput,
} from './inputs';
export { admitProviderStart } from './limits';
export { listSessions } from './list-sessions';
export { mailServerAnswers, mailsAreSent, sendMail } from './mail';
export { askLink } from './mail-links/ask-link';
export { findLinkReader } from './mail-links/find-link-reader';
export { signInByLink } from './mail-links/sign-in-by-link';
export { chooseNotices } from './notifications/choose-notices';
export { describeUnsubscription } from './notifications/describe-unsubscription';
export { listNoticeChoices } from './notifications/list-notice-choices';
export { notifyPerson } from './notifications/notify-person';
export { unsubscribe } from './notifications/unsubscribe';
export { askPasskey } from './passkeys/ask-passkey';
export { beginEnrolment } from './passkeys/begin-enrolment';
export { finishEnrolment } from './passkeys/finish-enrolment';
export { listPasskeys } from './passkeys/list-passkeys';
export { removePasskey } from './passkeys/remove-passkey';
export { renamePasskey } from './passkeys/rename-passkey';
export { type PasskeyEvidence, verifyAssertion } from './passkeys/verify-assertion';
export { changePassword } from './passwords/change-password';
export type { EndTokens } from './passwords/replace-password';
export { resetPassword } from './passwords/reset-password';
export { proveOwner } from './prove-owner';
export { listProviders } from './providers';
export { readProfile } from './read-profile';
export { hasSignedInLately, requireRecentSignIn } from './recent-sign-in';
export { renameUser } from './rename-user';
export { isAdmin, requireAdmin } from './require-admin';
export { findUser } from './session-cache';
export { signInLocally } from './sign-in-locally';
export { signOut } from './sign-out';
export { signUp } from './sign-up';
export type { StartedSession } from './start-session';
export type { Place } from './store/sessions';
export { deleteUser } from './store/users';
