import { ParleyError } from '@parley/agent';
import { callApi } from '../api.js';
import type { Credential } from '../credentials.js';
import { CLIENT_ID, type DeviceCode, signInDevice } from '../device-sign-in.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { openBrowser } from '../open-browser.js';
import { readAll } from '../read-input.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

/** Who is signed in; the wire object of `GET /api/auth/profile`. */
interface Profile {
  email: string;
  name: string;
}

export interface LoginOptions {
  withToken?: boolean;
  browser: boolean;
  /** Also to pay with the person's wallet and card. */
  pay?: boolean;
  json?: boolean;
}

/** Signs in by the device flow, or with an access token from stdin, and keeps what it got. */
export async function login(session: Session, options: LoginOptions): Promise<void> {
  const { origin, credentials, terminal } = session;
  const credential = options.withToken ? await readToken() : await signIn(session, options);
  const { accessToken } = credential;
  // A token is kept only when Parley takes it.
  const profile = await callApi<Profile>(origin, '/api/auth/profile', { accessToken, signal: session.signal });
  credentials.keep(origin, credential);
  if (options.json) terminal.print(JSON.stringify({ url: origin, ...profile }));
  else terminal.say(`Signed in to ${origin} as ${plainLine(profile.email)}.`);
}

async function readToken(): Promise<Credential> {
  const accessToken = (await readAll(process.stdin)).trim();
  if (/^[!-~]+$/.test(accessToken)) return { accessToken, refreshToken: null, expiresAt: null };
  throw new Failure(
    EXIT.usage,
    'Found no access token on stdin; expected one line.',
    'For example: parley auth login --with-token < token.txt',
  );
}

/** What a sign-in may do when it may pay as well; without it Parley gives the rest by itself. */
const SCOPES_WITH_PAY = 'agents:read agents:write handshake pay';

function signIn({ origin, terminal, signal }: Session, { browser, pay }: LoginOptions): Promise<Credential> {
  const show = ({ userCode, verificationUri, expiresInSeconds }: DeviceCode): void => {
    const minutes = Math.round(expiresInSeconds / 60);
    terminal.say(`Open ${plainLine(verificationUri)} and type this code: ${plainLine(userCode)}`);
    terminal.say(`It is good for ${minutes} minutes. Allow only a sign-in that you started yourself.`);
    if (browser && terminal.isInteractive) openBrowser(verificationUri);
  };
  return signInDevice(origin, { ...(pay && { scope: SCOPES_WITH_PAY }), show, signal });
}

/**
 * Revokes what the device flow gave to this program, and forgets it. A token from the settings is only forgotten: others
 * may use it.
 */
export async function logout(session: Session): Promise<void> {
  const { origin, credentials, terminal } = session;
  const known = credentials.find(origin);
  if (!known) {
    terminal.say(`Nobody was signed in to ${origin}.`);
    return;
  }
  const told = known.refreshToken === null || (await revoke(session, known.refreshToken));
  credentials.remove(origin);
  terminal.say(`Signed out of ${origin}.`);
  if (!told) terminal.say('Parley could not be told. Revoke the token in your settings, under Access tokens.');
}

/** False when Parley could not be told; the sign-out goes on without it. */
async function revoke({ origin, signal }: Session, token: string): Promise<boolean> {
  try {
    await callApi(origin, '/api/auth/revoke', { form: { token, client_id: CLIENT_ID }, signal });
    return true;
  } catch (error) {
    if (error instanceof ParleyError) return false;
    throw error;
  }
}

export async function whoami(session: Session, { json }: { json?: boolean }): Promise<void> {
  const profile = await session.call<Profile>('/api/auth/profile');
  const { terminal, origin } = session;
  if (json) terminal.print(JSON.stringify({ url: origin, ...profile }));
  else terminal.print(`${plainLine(profile.name)} <${plainLine(profile.email)}> at ${origin}`);
}
