import { type Endpoint, endpoint } from '../../http/endpoint';
import { getNotifications, getUnsubscribe, postUnsubscribe, putNotifications } from './notification-endpoints';
import {
  deletePasskey,
  deleteRecovery,
  getPasskeys,
  patchPasskey,
  postPasskey,
  postPasskeyOptions,
  postRecovery,
} from './passkey-endpoints';
import {
  getChangePassword,
  postLink,
  postLinkFinish,
  postPassword,
  postReset,
  postResetFinish,
  putPassword,
} from './password-endpoints';
import { deleteSession, deleteSessions, getProfile, getSessions, patchProfile } from './session-endpoints';
import { postConfirm, postLocal, postSignOut, postSignUp } from './sign-in-forms';

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
  getChangePassword,
];
