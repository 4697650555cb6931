import { mediaTypeOf } from '../http/request';
import { jsonRoute } from '../http/routes/json-route';
import {
  listNotificationPreferences,
  notificationPreferencesInput,
  unsubscribe,
  updateNotificationPreferences,
} from '../identity';

/** `GET /api/notifications`: which kinds of mail the person gets. */
export const getNotifications = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listNotificationPreferences({ ctx }) }),
});

/** `PUT /api/notifications`: which kinds they want from now on; 204. */
export const putNotifications = jsonRoute({
  auth: 'session',
  body: notificationPreferencesInput,
  async handle({ ctx, input }) {
    await updateNotificationPreferences({ ctx, input });
  },
});

/** `POST /api/notifications/unsubscribe?token=`: what a mail program sends (RFC 8058), and the page's form. */
export const postUnsubscribe = jsonRoute({
  auth: 'anyone',
  async handle({ ctx, url, request }) {
    const token = url.searchParams.get('token') ?? '';
    await unsubscribe({ ctx, input: { token } });
    const byPage = mediaTypeOf(request) === 'application/x-www-form-urlencoded' && request.headers.has('origin');
    return byPage ? seeOther(`/unsubscribe?${new URLSearchParams({ token, done: '1' })}`) : undefined;
  },
});

/** `GET` of the same: a person who opens it is led to the page that asks for one click. */
export const getUnsubscribe = jsonRoute({
  auth: 'anyone',
  handle: async ({ url }) => seeOther(`/unsubscribe?${url.searchParams}`),
});

function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path } });
}
