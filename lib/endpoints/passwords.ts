import { requireSameOrigin } from '../http/request';
import { jsonRoute } from '../http/routes/json-route';
import {
  changePassword,
  type EndTokens,
  magicLinkInput,
  passwordInput,
  requestLink,
  resetInput,
  resetPassword,
  signInLinkInput,
  signInWithLink,
} from '../identity';
import { safeNext } from '../identity/schema';
import { revokeAllTokens } from '../tokens';
import { clientInfoOf, signedInResponse } from './auth-session';
import { withFormFallback } from './with-form-fallback';

const endTokens: EndTokens = (ctx, userId) => revokeAllTokens({ ctx, input: { userId, devicesOnly: false } });

/** `POST /api/auth/reset`: asks for a link to set a new password; always 202. */
export const postReset = linkRoute('reset', '/forgot');

/** `POST /api/auth/link`: asks for a link to sign in by; always 202. */
export const postLink = linkRoute('sign-in', '/sign-in/mail');

function linkRoute(purpose: 'reset' | 'sign-in', page: string): ReturnType<typeof withFormFallback> {
  const route = jsonRoute({
    auth: 'anyone',
    body: magicLinkInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      await requestLink({ ctx, input: { email: input.email, purpose, next: safeNext(input.next), address } });
      return new Response(null, { status: 202 });
    },
  });
  return withFormFallback(route, { page, successPage: `${page}/sent` });
}

/** `POST /api/auth/reset/finish`: sets the new password; 204 and the session cookie. */
export const postResetFinish = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: resetInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      const place = clientInfoOf(request, address);
      return signedInResponse(await resetPassword({ ctx, input: { ...input, client: place }, endTokens }));
    },
  }),
  { page: '/reset' },
);

/** `POST /api/auth/link/finish`: signs in by the link; 204 and the session cookie. */
export const postLinkFinish = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: signInLinkInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      return signedInResponse(
        await signInWithLink({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
      );
    },
  }),
  { page: '/sign-in/link' },
);

/** `PUT /api/auth/password`: changes the password, or sets the first one; 204. */
export const putPassword = jsonRoute({
  auth: 'session',
  body: passwordInput,
  async handle({ ctx, input, address }) {
    await changePassword({ ctx, input: { ...input, address }, endTokens });
  },
});

/** `POST /api/auth/password`: the same; forms without script know no PUT. */
export const postPassword = withFormFallback(putPassword, { page: '/settings/password' });
