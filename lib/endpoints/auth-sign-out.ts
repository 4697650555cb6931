import { jsonRoute } from '../http/routes/json-route';
import { signOut } from '../identity';
import { signedOutResponse } from './auth-session';
import { withFormFallback } from './with-form-fallback';

/** `POST /api/auth/sign-out`: ends the session on every node and makes the browser forget it; 204 also without one. */
export const postSignOut = withFormFallback(
  jsonRoute({
    auth: 'anyone',
    async handle({ ctx }) {
      await signOut({ ctx });
      return signedOutResponse();
    },
  }),
  { page: '/sign-out' },
);
