import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { mediaTypeOf } from '../../http/request';
import { seeOther } from '../../http/respond';
import { requiredText } from '../../http/routes/json-route';
import { listOf } from '../../platform/schema';
import {
  listNotificationPreferences,
  notificationPreferencesInput,
  unsubscribe,
  updateNotificationPreferences,
} from '..';
import { notificationPreferenceSchema } from '../schema-views';

export const getNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  auth: 'session',
  response: listOf(notificationPreferenceSchema),
  docs: { tag: 'Account', summary: 'List your email settings' },
  handle: async ({ ctx }) => ({ items: await listNotificationPreferences({ ctx }) }),
});

export const putNotifications = endpoint({
  method: 'PUT',
  path: '/api/notifications',
  auth: 'session',
  body: notificationPreferencesInput,
  docs: {
    tag: 'Account',
    summary: 'Update your email settings',
    description: 'Omitted kinds stay unchanged.',
  },
  async handle({ ctx, input }) {
    await updateNotificationPreferences({ ctx, input });
  },
});

export const postUnsubscribe = endpoint({
  method: 'POST',
  path: '/api/notifications/unsubscribe',
  auth: 'anyone',
  query: z.object({ token: requiredText }),
  errors: ['not_found'],
  docs: {
    tag: 'Account',
    summary: 'Unsubscribe with the link in an email',
    description: 'One-click, without sign-in (RFC 8058).',
  },
  async handle({ ctx, query: { token }, request }) {
    await unsubscribe({ ctx, input: { token } });
    const byPage =
      mediaTypeOf(request) === 'application/x-www-form-urlencoded' && request.headers.get('origin') !== null;
    return byPage ? seeOther(`/unsubscribe?${new URLSearchParams({ token, done: '1' })}`) : undefined;
  },
});

export const getUnsubscribe = endpoint({
  method: 'GET',
  path: '/api/notifications/unsubscribe',
  auth: 'anyone',
  query: z.object({ token: requiredText }),
  status: 303,
  docs: { tag: 'Account', summary: 'Redirect to the unsubscribe page' },
  handle: async ({ request }) => seeOther(`/unsubscribe?${new URL(request.url).searchParams}`),
});
