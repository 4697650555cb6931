import type { ServeCredentials, ServeToken } from '@parley/agent/serve';
import type { Session } from '../session.js';
import { signInWithCode } from '../sign-in-with-code.js';

const SERVE_SCOPE = 'agents:serve';
/** Scopes of a sign-in that does not request any. */
const DEFAULT_SCOPES = 'agents:read agents:write handshake';

/**
 * Finds the credentials of the connection: `PARLEY_CLIENT_ID` and `PARLEY_CLIENT_SECRET` of the agent's app, otherwise
 * `PARLEY_TOKEN`, otherwise the user's sign-in, which first requests the scope if it lacks it.
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
  // The scopes of an access token from stdin are unknown: Parley refuses it if it lacks this one.
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
