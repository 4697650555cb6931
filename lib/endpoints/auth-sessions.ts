import { jsonRoute } from '../http/routes/json-route';
import { endAllSessions, endOtherSessions, endSession, listSessions } from '../identity';
import { revokeDeviceTokens } from '../tokens';
import { signedOutResponse } from './auth-session';

/** `GET /api/auth/sessions`: where the person is signed in. */
export const getSessions = jsonRoute({
  auth: 'session',
  handle: async ({ ctx }) => ({ items: await listSessions({ ctx }) }),
});

/** `DELETE /api/auth/sessions`: ends all others; with `?include=current` this one too, with `include=devices` devices too. */
export const deleteSessions = jsonRoute({
  auth: 'session',
  async handle({ ctx, url }) {
    const include = url.searchParams.getAll('include');
    const all = include.includes('current');
    await (all ? endAllSessions({ ctx }) : endOtherSessions({ ctx }));
    // After the sessions: one that lives could let another device in.
    if (include.includes('devices')) await revokeDeviceTokens({ ctx });
    return all ? signedOutResponse() : undefined;
  },
});

/** `DELETE /api/auth/sessions/{id}`: ends one. */
export const deleteSession = jsonRoute({
  auth: 'session',
  async handle({ ctx, params }) {
    await endSession({ ctx, input: { id: params.id ?? '' } });
  },
});
