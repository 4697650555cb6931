import { jsonRoute } from '../http/json-route';
import { profileInput, renameUser } from '../identity';

/** `PATCH /api/auth/profile`: changes the person's name; 204. */
export const patchProfile = jsonRoute({
  auth: 'session',
  body: profileInput,
  async handle({ ctx, input }) {
    await renameUser({ ctx, input });
  },
});
