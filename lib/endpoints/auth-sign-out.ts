import { jsonRoute } from '../http/json-route';
import { signOut } from '../identity';
import { alsoAsForm } from './auth-form';
import { signedOut } from './auth-session';

/** `POST /api/auth/sign-out`: ends the session on every node and makes the browser forget it; 204 also without one. */
export const postSignOut = alsoAsForm(
  jsonRoute({
    auth: 'anyone',
    async handle({ ctx }) {
      await signOut({ ctx });
      return signedOut();
    },
  }),
  { page: '/sign-out' },
);
