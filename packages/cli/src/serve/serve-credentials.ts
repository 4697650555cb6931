import type { ServeCredentials, ServeToken } from '@parley/agent/serve';
import type { Session } from '../session.js';
import { signInWithCode } from '../sign-in-with-code.js';

const SERVE_SCOPE = 'agents:serve';
/** What a sign-in may do that asks for no scopes. */
const DEFAULT_SCOPES = 'agents:read agents:write handshake';

/**
 * What to connect with: `PARLEY_CLIENT_ID` and `PARLEY_CLIENT_SECRET` of the agent's app, else `PARLEY_TOKEN`, else the
 * user's sign-in, which asks for the scope first if it lacks it.
 */
export async function findServeCredentials(
  session: Session,
  { browser }: { browser: boolean },
): Promise<ServeCredentials> {
  const { origin, environment, credentials } = session;
  const { PARLEY_CLIENT_ID: clientId, PARLEY_CLIENT_SECRET: clientSecret, PARLEY_TOKEN } = environment;
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (PARLEY_TOKEN?.trim()) return { token: PARLEY_TOKEN.trim() };
  const known = credentials.find(origin);
  // An access token from stdin does not say its scopes: Parley refuses it if it lacks this one.
  const isUnknown = known !== null && known.refreshToken === null;
  if (!isUnknown && !known?.scope?.split(' ').includes(SERVE_SCOPE)) {
    const scope = `${known?.scope ?? DEFAULT_SCOPES} ${SERVE_SCOPE}`;
    credentials.keep(origin, await signInWithCode(session, { browser, scope }));
  }
  const token = async (): Promise<ServeToken> => {
    const accessToken = await session.accessToken();
    return { token: accessToken, expiresAt: credentials.find(origin)?.expiresAt ?? null };
  };
  return { token };
}
