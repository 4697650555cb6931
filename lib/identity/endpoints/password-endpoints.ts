import { rejectCrossOrigin } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { respond, seeOther } from '../../http/respond';
import { jsonRoute } from '../../http/routes/json-route';
import { revokeAllTokens } from '../../tokens';
import {
  changePassword,
  type EndTokens,
  linkTokenInput,
  magicLinkInput,
  passwordInput,
  requestLink,
  resetInput,
  resetPassword,
  signInWithLink,
} from '..';
import { safeNext } from '../schema';
import { clientInfoOf, signedInResponse } from './session-endpoints';
import { withFormFallback } from './sign-in-forms';

const endTokens: EndTokens = (ctx, userId) => revokeAllTokens({ ctx, input: { userId, devicesOnly: false } });

export const postReset = endpoint({
  method: 'POST',
  path: '/api/auth/reset',
  status: 202,
  docs: {
    tag: 'Account',
    summary: 'Request a password reset link',
    description: 'Always returns 202 for a valid request.',
  },
  serve: linkRoute('reset', '/forgot'),
});

export const postLink = endpoint({
  method: 'POST',
  path: '/api/auth/link',
  status: 202,
  docs: {
    tag: 'Account',
    summary: 'Request a sign-in link',
    description: 'Always returns 202 for a valid request.',
  },
  serve: linkRoute('sign-in', '/sign-in/mail'),
});

function linkRoute(purpose: 'reset' | 'sign-in', page: string): ReturnType<typeof withFormFallback> {
  const route = jsonRoute({
    auth: 'anyone',
    body: magicLinkInput,
    async handle({ ctx, input, request, address }) {
      rejectCrossOrigin(request);
      const client = clientInfoOf(request, address);
      await requestLink({ ctx, input: { email: input.email, purpose, next: safeNext(input.next), client } });
      return respond(202, null);
    },
  });
  return withFormFallback(route, { page, successPage: `${page}/sent` });
}

export const postResetFinish = endpoint({
  method: 'POST',
  path: '/api/auth/reset/finish',
  errors: ['not_found'],
  docs: {
    tag: 'Account',
    summary: 'Set a new password with a reset link',
    description: 'Signs out all sessions and sets a new session cookie.',
  },
  serve: withFormFallback(
    jsonRoute({
      auth: 'anyone',
      body: resetInput,
      async handle({ ctx, input, request, address }) {
        rejectCrossOrigin(request);
        const client = clientInfoOf(request, address);
        return signedInResponse(await resetPassword({ ctx, input: { ...input, client }, endTokens }));
      },
    }),
    { page: '/reset' },
  ),
});

export const postLinkFinish = endpoint({
  method: 'POST',
  path: '/api/auth/link/finish',
  errors: ['not_found'],
  docs: { tag: 'Account', summary: 'Sign in with a sign-in link', description: 'Sets the session cookie.' },
  serve: withFormFallback(
    jsonRoute({
      auth: 'anyone',
      body: linkTokenInput,
      async handle({ ctx, input, request, address }) {
        rejectCrossOrigin(request);
        return signedInResponse(
          await signInWithLink({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
        );
      },
    }),
    { page: '/sign-in/link' },
  ),
});

/** Changes the password or sets the first one. */
export const putPassword = jsonRoute({
  auth: 'session',
  body: passwordInput,
  async handle({ ctx, input, address }) {
    await changePassword({ ctx, input: { ...input, address }, endTokens });
  },
});

export const postPassword = endpoint({
  method: 'POST',
  path: '/api/auth/password',
  errors: ['sign_in_again', 'passkey_required', 'passkey_refused'],
  docs: {
    tag: 'Account',
    summary: 'Change your password with a form',
    description: 'The same as PUT, for pages without scripts.',
  },
  serve: withFormFallback(putPassword, { page: '/settings/security' }),
});

/** The URL at which password managers open the page that changes a password (W3C change-password-url). */
export const getChangePassword = endpoint({
  method: 'GET',
  path: '/.well-known/change-password',
  auth: 'anyone',
  handle: async () => seeOther('/settings/password'),
});
