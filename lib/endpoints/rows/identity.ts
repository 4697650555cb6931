import { postLocal } from '../auth-local';
import { getProfile, patchProfile } from '../auth-profile';
import { deleteSession, deleteSessions, getSessions } from '../auth-sessions';
import { postSignOut } from '../auth-sign-out';
import { postConfirm, postSignUp } from '../auth-sign-up';
import { getNotifications, getUnsubscribe, postUnsubscribe, putNotifications } from '../notifications';
import { deletePasskey, getPasskeys, patchPasskey, postPasskey, postPasskeyOptions } from '../passkeys';
import { postLink, postLinkFinish, postReset, postResetFinish, putPassword } from '../passwords';
import type { Row } from '../row';

export const identityRows: Row[] = [
  { method: 'POST', path: '/api/auth/local', endpoint: postLocal },
  { method: 'POST', path: '/api/auth/sign-up', endpoint: postSignUp },
  { method: 'POST', path: '/api/auth/confirm', endpoint: postConfirm },
  { method: 'POST', path: '/api/auth/sign-out', endpoint: postSignOut },
  { method: 'GET', path: '/api/auth/sessions', endpoint: getSessions },
  { method: 'DELETE', path: '/api/auth/sessions', endpoint: deleteSessions },
  { method: 'DELETE', path: '/api/auth/sessions/:id', endpoint: deleteSession },
  { method: 'GET', path: '/api/auth/passkeys', endpoint: getPasskeys },
  { method: 'POST', path: '/api/auth/passkeys', endpoint: postPasskey },
  { method: 'POST', path: '/api/auth/passkeys/options', endpoint: postPasskeyOptions },
  { method: 'PATCH', path: '/api/auth/passkeys/:id', endpoint: patchPasskey },
  { method: 'DELETE', path: '/api/auth/passkeys/:id', endpoint: deletePasskey },
  { method: 'GET', path: '/api/auth/profile', endpoint: getProfile },
  { method: 'PATCH', path: '/api/auth/profile', endpoint: patchProfile },
  { method: 'GET', path: '/api/notifications', endpoint: getNotifications },
  { method: 'PUT', path: '/api/notifications', endpoint: putNotifications },
  { method: 'GET', path: '/api/notifications/unsubscribe', endpoint: getUnsubscribe },
  { method: 'POST', path: '/api/notifications/unsubscribe', endpoint: postUnsubscribe },
  { method: 'POST', path: '/api/auth/reset', endpoint: postReset },
  { method: 'POST', path: '/api/auth/reset/finish', endpoint: postResetFinish },
  { method: 'POST', path: '/api/auth/link', endpoint: postLink },
  { method: 'POST', path: '/api/auth/link/finish', endpoint: postLinkFinish },
  { method: 'PUT', path: '/api/auth/password', endpoint: putPassword },
];
