import { rejectCrossOrigin } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { respond } from '../../http/respond';
import { jsonRoute } from '../../http/routes/json-route';
import { confirmInput, confirmSignUp, signInInput, signInWithPassword, signOut, signUp, signUpInput } from '..';
import { safeNext } from '../schema';
import { withFormFallback } from './form-fallback';
import { clientInfoOf, signedInResponse, signedOutResponse } from './session-endpoints';

/** Signs in by email address and password: 204 with the session cookie, or 401. */
export const postLocal = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: signInInput,
    async handle({ ctx, input, request, address }) {
      // Without a session cookie too: another site must not sign a user in to another account (login CSRF).
      rejectCrossOrigin(request);
      return signedInResponse(
        await signInWithPassword({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
      );
    },
  }),
  { page: '/sign-in' },
);

/** 202 whether or not the address has an account, so that accounts cannot be enumerated. */
export const postSignUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up',
  status: 202,
  errors: ['unavailable'],
  docs: {
    tag: 'Account',
    summary: 'Sign up',
    description: 'Always returns 202 for a valid request; the email says whether an account already exists.',
  },
  serve: withFormFallback(
    jsonRoute({
      auth: 'anyone',
      body: signUpInput,
      async handle({ ctx, input, request, address }) {
        rejectCrossOrigin(request);
        await signUp({ ctx, input: { ...input, next: safeNext(input.next), address } });
        return respond(202, null);
      },
    }),
    { page: '/sign-up', successPage: '/sign-up/sent' },
  ),
});

export const postConfirm = endpoint({
  method: 'POST',
  path: '/api/auth/confirm',
  errors: ['unauthenticated', 'conflict', 'not_found'],
  docs: {
    tag: 'Account',
    summary: 'Confirm the email of a sign-up',
    description: 'Creates the account and sets the session cookie.',
  },
  serve: withFormFallback(
    jsonRoute({
      auth: 'anyone',
      body: confirmInput,
      async handle({ ctx, input, request, address }) {
        rejectCrossOrigin(request);
        return signedInResponse(
          await confirmSignUp({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
        );
      },
    }),
    { page: '/confirm' },
  ),
});

/** Ends the session on every node and deletes the cookie; 204 also without a session. */
export const postSignOut = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    async handle({ ctx }) {
      await signOut({ ctx });
      return signedOutResponse();
    },
  }),
  { page: '/sign-out' },
);
