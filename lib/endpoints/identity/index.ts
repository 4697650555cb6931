import { type Endpoint, endpoint } from '../endpoint';
import { getNotifications, getUnsubscribe, postUnsubscribe, putNotifications } from './notifications';
import { deletePasskey, getPasskeys, patchPasskey, postPasskey, postPasskeyOptions } from './passkeys';
import { postLink, postLinkFinish, postPassword, postReset, postResetFinish, putPassword } from './passwords';
import { deleteRecovery, postRecovery } from './recovery';
import { deleteSession, deleteSessions, getProfile, getSessions, patchProfile } from './sessions';
import { postConfirm, postLocal, postSignOut, postSignUp } from './sign-in';

export const identityEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api/auth/local',
    errors: ['rate_limited', 'forbidden'],
    docs: {
      tag: 'Account',
      summary: 'Sign in with email and password',
      description: 'Sets the session cookie.',
    },
    serve: postLocal,
  }),
  postSignUp,
  postConfirm,
  endpoint({
    method: 'POST',
    path: '/api/auth/sign-out',
    docs: { tag: 'Account', summary: 'Sign out of this browser' },
    serve: postSignOut,
  }),
  getSessions,
  deleteSessions,
  deleteSession,
  getPasskeys,
  postPasskey,
  postPasskeyOptions,
  patchPasskey,
  deletePasskey,
  postRecovery,
  deleteRecovery,
  getProfile,
  patchProfile,
  getNotifications,
  putNotifications,
  getUnsubscribe,
  postUnsubscribe,
  postReset,
  postResetFinish,
  postLink,
  postLinkFinish,
  endpoint({
    method: 'PUT',
    path: '/api/auth/password',
    errors: ['sign_in_again', 'passkey_required', 'passkey_refused'],
    docs: {
      tag: 'Account',
      summary: 'Change your password, or set the first one',
      description: 'Signs out all other sessions.',
    },
    serve: putPassword,
  }),
  postPassword,
];
