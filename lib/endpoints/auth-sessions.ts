import { jsonRoute } from '../http/json-route';
import { endAllSessions, endOtherSessions, endSession, listSessions } from '../identity';
import { signedOut } from './auth-session';

/** `GET /api/auth/sessions`: where the person is signed in. */
export const getSessions = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listSessions({ ctx }) }),
});

/** `DELETE /api/auth/sessions`: ends all others; with `?include=current` this one too. */
export const deleteSessions = jsonRoute({
  auth: 'session',
  async handle({ ctx, url }) {
    if (url.searchParams.get('include') === 'current') {
      await endAllSessions({ ctx });
      return signedOut();
    }
    await endOtherSessions({ ctx });
  },
});

/** `DELETE /api/auth/sessions/{id}`: ends one. */
export const deleteSession = jsonRoute({
  auth: 'session',
  async handle({ ctx, params }) {
    await endSession({ ctx, input: { id: params.id ?? '' } });
  },
});
