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
import type { Route } from '../route';

export const identityRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/auth/local',
    endpoint: postLocal,
    docs: {
      tag: 'Account',
      summary: 'Sign in by e-mail address and password',
      description: 'Sets the session cookie.',
      problems: ['rate_limited', 'forbidden'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/sign-up',
    endpoint: postSignUp,
    docs: {
      tag: 'Account',
      summary: 'Ask for an account',
      description: 'Always 202 for a well-formed request; the mail says whether there is an account already.',
      status: 202,
      problems: ['unavailable'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/confirm',
    endpoint: postConfirm,
    docs: {
      tag: 'Account',
      summary: 'Confirm the address of a sign-up',
      description: 'Makes the account and sets the session cookie.',
      problems: ['unauthenticated', 'conflict', 'not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/sign-out',
    endpoint: postSignOut,
    docs: { tag: 'Account', summary: 'Sign out of this browser' },
  },
  {
    method: 'GET',
    path: '/api/auth/sessions',
    endpoint: getSessions,
    docs: { tag: 'Account', summary: 'List your sessions', response: listOf(sessionView) },
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions',
    endpoint: deleteSessions,
    docs: {
      tag: 'Account',
      summary: 'End all other sessions',
      description:
        'With `include=current` this one too; with `include=devices` command lines and devices as well. May be given twice.',
      query: z.object({ include: z.enum(['current', 'devices']).optional() }),
    },
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    endpoint: deleteSession,
    docs: { tag: 'Account', summary: 'End one session' },
  },
  {
    method: 'GET',
    path: '/api/auth/passkeys',
    endpoint: getPasskeys,
    docs: { tag: 'Account', summary: 'List your passkeys', response: listOf(passkeyView) },
  },
  {
    method: 'POST',
    path: '/api/auth/passkeys',
    endpoint: postPasskey,
    docs: {
      tag: 'Account',
      summary: 'Add a passkey',
      response: passkeyView,
      status: 201,
      problems: ['sign_in_again', 'passkey_refused', 'conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/passkeys/options',
    endpoint: postPasskeyOptions,
    docs: {
      tag: 'Account',
      summary: 'Begin to add a passkey',
      description: 'Answers PublicKeyCredentialCreationOptionsJSON of WebAuthn.',
      response: anyObject,
      problems: ['sign_in_again'],
    },
  },
  {
    method: 'PATCH',
    path: '/api/auth/passkeys/:id',
    endpoint: patchPasskey,
    docs: { tag: 'Account', summary: 'Rename a passkey' },
  },
  {
    method: 'DELETE',
    path: '/api/auth/passkeys/:id',
    endpoint: deletePasskey,
    docs: { tag: 'Account', summary: 'Remove a passkey', problems: ['sign_in_again'] },
  },
  {
    method: 'GET',
    path: '/api/auth/profile',
    endpoint: getProfile,
    docs: { tag: 'Account', summary: 'Tell whose credential this is', response: profileView },
  },
  {
    method: 'PATCH',
    path: '/api/auth/profile',
    endpoint: patchProfile,
    docs: { tag: 'Account', summary: 'Change your name' },
  },
  {
    method: 'GET',
    path: '/api/notifications',
    endpoint: getNotifications,
    docs: { tag: 'Account', summary: 'List which mails you get', response: listOf(noticeView) },
  },
  {
    method: 'PUT',
    path: '/api/notifications',
    endpoint: putNotifications,
    docs: {
      tag: 'Account',
      summary: 'Choose which mails you get',
      description: 'Kinds that are left out stay as they are.',
    },
  },
  {
    method: 'GET',
    path: '/api/notifications/unsubscribe',
    endpoint: getUnsubscribe,
    docs: {
      tag: 'Account',
      summary: 'Lead to the page that ends mails of one kind',
      query: z.object({ token: z.string() }),
      status: 303,
    },
  },
  {
    method: 'POST',
    path: '/api/notifications/unsubscribe',
    endpoint: postUnsubscribe,
    docs: {
      tag: 'Account',
      summary: 'End mails of one kind by the link in one of them',
      description: 'One click, without sign-in (RFC 8058).',
      query: z.object({ token: z.string() }),
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/reset',
    endpoint: postReset,
    docs: {
      tag: 'Account',
      summary: 'Ask for a link to set a new password',
      description: 'Always 202 for a well-formed request.',
      status: 202,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/reset/finish',
    endpoint: postResetFinish,
    docs: {
      tag: 'Account',
      summary: 'Set a new password by the link',
      description: 'Ends all sessions of before and sets a new session cookie.',
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/link',
    endpoint: postLink,
    docs: {
      tag: 'Account',
      summary: 'Ask for a link to sign in by',
      description: 'Always 202 for a well-formed request.',
      status: 202,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/link/finish',
    endpoint: postLinkFinish,
    docs: {
      tag: 'Account',
      summary: 'Sign in by the link',
      description: 'Sets the session cookie.',
      problems: ['not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/auth/password',
    endpoint: putPassword,
    docs: {
      tag: 'Account',
      summary: 'Change your password, or set the first one',
      description: 'Ends all other sessions.',
      problems: ['sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/password',
    endpoint: postPassword,
    docs: {
      tag: 'Account',
      summary: 'Change your password by a form',
      description: 'As PUT, for a page without script.',
      problems: ['sign_in_again'],
    },
  },
];
