import { requireSameOrigin } from '../http/request';
import { jsonRoute } from '../http/routes/json-route';
import { signInInput, signInWithPassword } from '../identity';
import { clientInfoOf, signedInResponse } from './auth-session';
import { withFormFallback } from './with-form-fallback';

/** `POST /api/auth/local`: signs in by e-mail address and password; 204 and the session cookie, or 401. */
export const postLocal = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: signInInput,
    async handle({ ctx, input, request, address }) {
      // Without a cookie too: a foreign page must not sign a person in as somebody else.
      if (request.headers.has('origin')) requireSameOrigin(request);
      return signedInResponse(
        await signInWithPassword({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
      );
    },
  }),
  { page: '/sign-in' },
);
