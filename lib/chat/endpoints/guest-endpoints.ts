import { z } from 'zod';
import { actorOf, findGuestOf, guestCookie, requireSameOrigin } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import type { HandlerContext, HttpRequest, HttpResponse } from '../../http/handler';
import { requestIdOf } from '../../http/request';
import { respond, seeOther } from '../../http/respond';
import { startGuest } from '../../identity';
import { clientInfoOf } from '../../identity/endpoints/session-endpoints';
import { withNext } from '../../identity/schema';
import { guestProofSchema } from '../../identity/schema-views';
import { keepGuestConversations } from '..';

/** Responds with 204 and the guest's cookie; without a cookie for a user, and for a guest whose session continues. */
export const postGuest = endpoint({
  method: 'POST',
  path: '/api/chat/guest',
  auth: 'anyone',
  body: z.strictObject({ proof: guestProofSchema.optional() }),
  errors: ['proof_required', 'origin_required'],
  docs: {
    tag: 'Chat',
    summary: 'Chat without an account',
    description:
      'Starts a guest session of 24 hours, for agents that permit guests. The error `proof_required` has an ALTCHA challenge (version 2) to solve first.',
  },
  async handle({ ctx, input, request, address }) {
    requireSameOrigin(request);
    const started = await startGuest({ ctx, input: { client: clientInfoOf(request, address), ...input } });
    return started ? respond(204, null, { 'set-cookie': guestCookie(started.token, started.expires) }) : undefined;
  },
});

/**
 * The page after a sign-in by which a guest keeps their conversations: gives them to the account, ends the guest and
 * shows one. Only the browser's own guest is affected, so a link to this page is harmless.
 */
export const getKeptConversation = endpoint({ method: 'GET', path: '/chat/keep/:id', serve: serveKept });

async function serveKept(request: HttpRequest, { params: { id = '' } }: HandlerContext): Promise<HttpResponse> {
  const requestId = requestIdOf(request);
  const headers = { 'cache-control': 'no-store', 'x-request-id': requestId };
  try {
    const now = new Date();
    const actor = await actorOf(request, now);
    if (actor.kind !== 'user') return seeOther(withNext('/sign-in', new URL(request.url).pathname), headers);
    const guest = await findGuestOf(request, now);
    const ctx = { actor, requestId, signal: request.signal, now };
    if (guest) await keepGuestConversations({ ctx, input: { guest } });
    const path = /^cnv_[0-9a-z]{1,40}$/.test(id) ? `/chat/${id}` : '/chat';
    return seeOther(path, { ...headers, 'set-cookie': guestCookie('', new Date(0)) });
  } catch (error) {
    return problemOf(error, requestId);
  }
}

/**
 * Receives the content that another app shares with the installed one (`share_target` of the manifest). The service
 * worker answers the request on the device. Without a service worker, nothing is read, and the chat opens empty.
 */
export const postShared = endpoint({ method: 'POST', path: '/chat/share', serve: async () => seeOther('/chat/start') });
