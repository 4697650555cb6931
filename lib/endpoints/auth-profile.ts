import { jsonRoute } from '../http/routes/json-route';
import { profileInput, readProfile, renameUser } from '../identity';

/** `GET /api/auth/profile`: whose credential this is; `scopes` is null for a session. */
export const getProfile = jsonRoute({ auth: 'user', handle: readProfile });

/** `PATCH /api/auth/profile`: changes the person's name; 204. */
export const patchProfile = jsonRoute({
  auth: 'session',
  body: profileInput,
  async handle({ ctx, input }) {
    await renameUser({ ctx, input });
  },
});
