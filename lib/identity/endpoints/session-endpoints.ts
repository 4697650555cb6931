import { z } from 'zod';
import { cookieOf, sessionCookie } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import type { HttpRequest } from '../../http/handler';
import { type CompleteResponse, respond } from '../../http/respond';
import { listOf } from '../../platform/schema';
import { localeCookie, mailLocaleOf } from '../../texts/languages';
import { revokeDeviceTokens } from '../../tokens';
import {
  type ClientInfo,
  endAllSessions,
  endOtherSessions,
  endSession,
  listSessions,
  profileInput,
  readProfile,
  renameUser,
  type StartedSession,
} from '..';
import { profileSchema, sessionViewSchema } from '../schema-views';

export const getSessions = endpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  auth: 'session',
  response: listOf(sessionViewSchema),
  docs: { tag: 'Account', summary: 'List your sessions' },
  handle: async ({ ctx }) => ({ items: await listSessions({ ctx }) }),
});

export const deleteSessions = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions',
  auth: 'session',
  query: z.object({
    include: z
      .custom<string[]>(Array.isArray)
      .meta({ type: 'string', enum: ['current', 'devices'] })
      .optional(),
  }),
  readQuery: (parameters) => ({ include: parameters.getAll('include') }),
  docs: {
    tag: 'Account',
    summary: 'Sign out all other sessions',
    description:
      '`include=current` also signs out this session; `include=devices` also signs out the CLI and devices. Can be repeated.',
  },
  async handle({ ctx, query: { include = [] } }) {
    const all = include.includes('current');
    await (all ? endAllSessions({ ctx }) : endOtherSessions({ ctx }));
    // After the sessions have ended, because an active one could authorize another device.
    if (include.includes('devices')) await revokeDeviceTokens({ ctx });
    return all ? signedOutResponse() : undefined;
  },
});

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  auth: 'session',
  docs: { tag: 'Account', summary: 'Sign out a session' },
  async handle({ ctx, params }) {
    await endSession({ ctx, input: { id: params.id ?? '' } });
  },
});

/** Returns the user of the credential. `scopes` is null for a session. */
export const getProfile = endpoint({
  method: 'GET',
  path: '/api/auth/profile',
  auth: 'user',
  response: profileSchema,
  docs: { tag: 'Account', summary: 'Get the current user' },
  handle: readProfile,
});

export const patchProfile = endpoint({
  method: 'PATCH',
  path: '/api/auth/profile',
  auth: 'session',
  body: profileInput,
  docs: { tag: 'Account', summary: 'Change your name' },
  async handle({ ctx, input }) {
    await renameUser({ ctx, input });
  },
});

/** Returns the client information that a new session stores. */
export function clientInfoOf(request: HttpRequest, address: string): ClientInfo {
  const locale = mailLocaleOf(cookieOf(request, localeCookie), request.headers.get('accept-language'));
  return { address, userAgent: request.headers.get('user-agent') ?? '', locale };
}

/** Returns a 204 response with the new session's cookie. */
export function signedInResponse({ token, expires }: StartedSession): CompleteResponse {
  return respond(204, null, { 'set-cookie': sessionCookie(token, expires) });
}

/** Returns a 204 response that deletes the session cookie. */
export function signedOutResponse(): CompleteResponse {
  return respond(204, null, { 'set-cookie': sessionCookie('', new Date(0)) });
}
