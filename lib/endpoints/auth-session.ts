import { sessionCookie } from '../http/request';
import type { ClientInfo, StartedSession } from '../identity';

/** Where a request comes from, as its session will remember it. */
export function clientInfoOf(request: Request, address: string): ClientInfo {
  return { address, userAgent: request.headers.get('user-agent') ?? '' };
}

/** 204 with the cookie of a new session. */
export function signedInResponse({ token, expires }: StartedSession): Response {
  return new Response(null, { status: 204, headers: { 'set-cookie': sessionCookie(token, expires) } });
}

/** 204, and the browser forgets its session. */
export function signedOutResponse(): Response {
  return new Response(null, { status: 204, headers: { 'set-cookie': sessionCookie('', new Date(0)) } });
}
