import { jsonRoute } from '../http/json-route';
import { requireSameOrigin } from '../http/request';
import { signInInput, signInLocally } from '../identity';
import { alsoAsForm } from './auth-form';
import { placeOf, signedIn } from './auth-session';

/** `POST /api/auth/local`: signs in by e-mail address and password; 204 and the session cookie, or 401. */
export const postLocal = alsoAsForm(
  jsonRoute({
    auth: 'anyone',
    body: signInInput,
    async handle({ ctx, input, request, address }) {
      // Without a cookie too: a foreign page must not sign a person in as somebody else.
      if (request.headers.has('origin')) requireSameOrigin(request);
      return signedIn(await signInLocally({ ctx, input: { ...input, place: placeOf(request, address) } }));
    },
  }),
  { page: '/sign-in' },
);
