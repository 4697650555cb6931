import { rejectCrossOrigin, requireSameOrigin } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../../http/handler';
import { mediaTypeOf, readFormText, requestIdOf, withBody } from '../../http/request';
import { respond, seeOther } from '../../http/respond';
import { jsonRoute } from '../../http/routes/json-route';
import { confirmInput, confirmSignUp, signInInput, signInWithPassword, signOut, signUp, signUpInput } from '..';
import { safeNext, withNext } from '../schema';
import { clientInfoOf, signedInResponse, signedOutResponse } from './session-endpoints';

/** Signs in by email address and password: 204 with the session cookie, or 401. */
export const postLocal = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    body: signInInput,
    async handle({ ctx, input, request, address }) {
      // Also checked without a session cookie, because another site must not sign a user in to another account (login
      // CSRF).
      rejectCrossOrigin(request);
      return signedInResponse(
        await signInWithPassword({ ctx, input: { ...input, client: clientInfoOf(request, address) } }),
      );
    },
  }),
  { page: '/sign-in' },
);

/**
 * Starts a sign-up. Responds with 202 regardless of whether the email address has an account, so that accounts cannot
 * be enumerated.
 */
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
        const client = clientInfoOf(request, address);
        await signUp({ ctx, input: { ...input, next: safeNext(input.next), client } });
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

/** Ends the session on every node and deletes the cookie. Responds with 204 even if there is no session. */
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

interface FormPages {
  /** The form's page, which displays the error specified by `?error=`. */
  page: string;
  /** The page after success; defaults to the form's `next`. */
  successPage?: string;
}

/** Fields that are returned to the form in its URL. User input never appears in a URL. */
const returnedFields = ['token', 'reason'];

/**
 * Makes a JSON endpoint also accept the form of its page, which then works without JavaScript and before it has loaded.
 * The fields become the JSON body, and the response becomes a redirect. Forms are accepted only from our own pages.
 */
export function withFormFallback(
  endpoint: Handler<HttpResponse>,
  { page, successPage }: FormPages,
): Handler<HttpResponse> {
  async function handler(request: HttpRequest, context: HandlerContext): Promise<HttpResponse> {
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return endpoint(request, context);
    try {
      requireSameOrigin(request);
      const fields = Object.fromEntries(new URLSearchParams(await readFormText(request)));
      const jsonRequest = withBody(request, JSON.stringify(fields), 'application/json');
      const { status, headers, body } = await endpoint(jsonRequest, context);
      const next = safeNext(fields.next);
      if (status < 300) return seeOther(successPage ? withNext(successPage, next) : next, keptHeaders(headers));
      const returned = Object.fromEntries(Object.entries(fields).filter(([name]) => returnedFields.includes(name)));
      const { code } = JSON.parse(String(body)) as { code: string };
      return seeOther(withNext(page, next, { ...returned, error: code }), keptHeaders(headers));
    } catch (error) {
      return problemOf(error, requestIdOf(request));
    }
  }
  return Object.assign(handler, { spec: endpoint.spec });
}

function keptHeaders(headers: HttpResponse['headers']): HttpResponse['headers'] {
  const kept = Object.entries(headers).filter(([name]) => name === 'set-cookie' || name === 'x-request-id');
  return { ...Object.fromEntries(kept), 'cache-control': 'no-store' };
}
