import { requireSameOrigin } from '../http/request';
import { jsonRoute } from '../http/routes/json-route';
import { confirmInput, confirmSignUp, signUp, signUpInput } from '../identity';
import { safeNext } from '../identity/schema';
import { clientInfoOf, signedInResponse } from './auth-session';
import { withFormFallback } from './with-form-fallback';

/** `POST /api/auth/sign-up`: always 202 for a well-formed request, whether or not the address has an account. */
export const postSignUp = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: signUpInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      await signUp({ ctx, input: { ...input, next: safeNext(input.next), address } });
      return new Response(null, { status: 202 });
    },
  }),
  { page: '/sign-up', successPage: '/sign-up/sent' },
);

/** `POST /api/auth/confirm`: makes the account of a sign-up; 204 and the session cookie. */
export const postConfirm = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: confirmInput,
    async handle({ ctx, input, request, address }) {
      if (request.headers.has('origin')) requireSameOrigin(request);
      return signedInResponse(
        await confirmSignUp({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
      );
    },
  }),
  { page: '/confirm' },
);
