import { jsonRoute } from '../http/json-route';
import { requireSameOrigin } from '../http/request';
import { confirmInput, confirmSignUp, signUp, signUpInput } from '../identity';
import { safeNext } from '../identity/schema';
import { alsoAsForm } from './auth-form';
import { placeOf, signedIn } from './auth-session';

/** `POST /api/auth/sign-up`: always 202 for a well-formed request, whether or not the address has an account. */
export const postSignUp = alsoAsForm(
  jsonRoute({
    auth: 'anyone',
    body: signUpInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      await signUp({ ctx, input: { ...input, next: safeNext(input.next), address } });
      return new Response(null, { status: 202 });
    },
  }),
  { page: '/sign-up', done: '/sign-up/sent' },
);

/** `POST /api/auth/confirm`: makes the account of a sign-up; 204 and the session cookie. */
export const postConfirm = alsoAsForm(
  jsonRoute({
    auth: 'anyone',
    body: confirmInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      return signedIn(await confirmSignUp({ ctx, input: { ...input, place: placeOf(request, address) } }));
    },
  }),
  { page: '/confirm' },
);
