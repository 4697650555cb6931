import { z } from 'zod';
import { anyObject, listOf } from '../answers/common';
import { noticeView, passkeyView, profileView, sessionView } from '../answers/identity';
import { postLocal } from '../auth-local';
import { getProfile, patchProfile } from '../auth-profile';
import { deleteSession, deleteSessions, getSessions } from '../auth-sessions';
import { postSignOut } from '../auth-sign-out';
import { postConfirm, postSignUp } from '../auth-sign-up';
import { getNotifications, getUnsubscribe, postUnsubscribe, putNotifications } from '../notifications';
import { deletePasskey, getPasskeys, patchPasskey, postPasskey, postPasskeyOptions } from '../passkeys';
import { postLink, postLinkFinish, postPassword, postReset, postResetFinish, putPassword } from '../passwords';
import type { Row } from '../row';

export const identityRows: Row[] = [
  {
    method: 'POST',
    path: '/api/auth/local',
    endpoint: postLocal,
    about: {
      part: 'Account',
      summary: 'Sign in by e-mail address and password',
      more: 'Sets the session cookie.',
      problems: ['rate_limited', 'forbidden'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/sign-up',
    endpoint: postSignUp,
    about: {
      part: 'Account',
      summary: 'Ask for an account',
      more: 'Always 202 for a well-formed request; the mail says whether there is an account already.',
      status: 202,
      problems: ['unavailable'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/confirm',
    endpoint: postConfirm,
    about: {
      part: 'Account',
      summary: 'Confirm the address of a sign-up',
      more: 'Makes the account and sets the session cookie.',
      problems: ['unauthenticated', 'conflict', 'not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/sign-out',
    endpoint: postSignOut,
    about: { part: 'Account', summary: 'Sign out of this browser' },
  },
  {
    method: 'GET',
    path: '/api/auth/sessions',
    endpoint: getSessions,
    about: { part: 'Account', summary: 'List your sessions', answer: listOf(sessionView) },
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions',
    endpoint: deleteSessions,
    about: {
      part: 'Account',
      summary: 'End all other sessions',
      more: 'With `include=current` this one too; with `include=devices` command lines and devices as well. May be given twice.',
      query: z.object({ include: z.enum(['current', 'devices']).optional() }),
    },
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    endpoint: deleteSession,
    about: { part: 'Account', summary: 'End one session' },
  },
  {
    method: 'GET',
    path: '/api/auth/passkeys',
    endpoint: getPasskeys,
    about: { part: 'Account', summary: 'List your passkeys', answer: listOf(passkeyView) },
  },
  {
    method: 'POST',
    path: '/api/auth/passkeys',
    endpoint: postPasskey,
    about: {
      part: 'Account',
      summary: 'Add a passkey',
      answer: passkeyView,
      status: 201,
      problems: ['sign_in_again', 'passkey_refused', 'conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/passkeys/options',
    endpoint: postPasskeyOptions,
    about: {
      part: 'Account',
      summary: 'Begin to add a passkey',
      more: 'Answers PublicKeyCredentialCreationOptionsJSON of WebAuthn.',
      answer: anyObject,
      problems: ['sign_in_again'],
    },
  },
  {
    method: 'PATCH',
    path: '/api/auth/passkeys/:id',
    endpoint: patchPasskey,
    about: { part: 'Account', summary: 'Rename a passkey' },
  },
  {
    method: 'DELETE',
    path: '/api/auth/passkeys/:id',
    endpoint: deletePasskey,
    about: { part: 'Account', summary: 'Remove a passkey', problems: ['sign_in_again'] },
  },
  {
    method: 'GET',
    path: '/api/auth/profile',
    endpoint: getProfile,
    about: { part: 'Account', summary: 'Tell whose credential this is', answer: profileView },
  },
  {
    method: 'PATCH',
    path: '/api/auth/profile',
    endpoint: patchProfile,
    about: { part: 'Account', summary: 'Change your name' },
  },
  {
    method: 'GET',
    path: '/api/notifications',
    endpoint: getNotifications,
    about: { part: 'Account', summary: 'List which mails you get', answer: listOf(noticeView) },
  },
  {
    method: 'PUT',
    path: '/api/notifications',
    endpoint: putNotifications,
    about: {
      part: 'Account',
      summary: 'Choose which mails you get',
      more: 'Kinds that are left out stay as they are.',
    },
  },
  {
    method: 'GET',
    path: '/api/notifications/unsubscribe',
    endpoint: getUnsubscribe,
    about: {
      part: 'Account',
      summary: 'Lead to the page that ends mails of one kind',
      query: z.object({ token: z.string() }),
      status: 303,
    },
  },
  {
    method: 'POST',
    path: '/api/notifications/unsubscribe',
    endpoint: postUnsubscribe,
    about: {
      part: 'Account',
      summary: 'End mails of one kind by the link in one of them',
      more: 'One click, without sign-in (RFC 8058).',
      query: z.object({ token: z.string() }),
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/reset',
    endpoint: postReset,
    about: {
      part: 'Account',
      summary: 'Ask for a link to set a new password',
      more: 'Always 202 for a well-formed request.',
      status: 202,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/reset/finish',
    endpoint: postResetFinish,
    about: {
      part: 'Account',
      summary: 'Set a new password by the link',
      more: 'Ends all sessions of before and sets a new session cookie.',
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/link',
    endpoint: postLink,
    about: {
      part: 'Account',
      summary: 'Ask for a link to sign in by',
      more: 'Always 202 for a well-formed request.',
      status: 202,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/link/finish',
    endpoint: postLinkFinish,
    about: {
      part: 'Account',
      summary: 'Sign in by the link',
      more: 'Sets the session cookie.',
      problems: ['not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/auth/password',
    endpoint: putPassword,
    about: {
      part: 'Account',
      summary: 'Change your password, or set the first one',
      more: 'Ends all other sessions.',
      problems: ['sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/password',
    endpoint: postPassword,
    about: {
      part: 'Account',
      summary: 'Change your password by a form',
      more: 'As PUT, for a page without script.',
      problems: ['sign_in_again'],
    },
  },
];
