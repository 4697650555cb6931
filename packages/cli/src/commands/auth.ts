import { ParleyError } from '@parley/agent';
import type { Command } from 'commander';
import { callApi } from '../api.js';
import type { CommandContext } from '../command-line.js';
import type { Credential } from '../credentials.js';
import { CLIENT_ID } from '../device-sign-in.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readAll } from '../read-input.js';
import type { Session } from '../session.js';
import { signInWithCode } from '../sign-in-with-code.js';
import { plainLine } from '../terminal.js';

/** The signed-in user, from `GET /api/auth/profile`. */
interface Profile {
  email: string;
  name: string;
}

interface LoginOptions {
  withToken?: boolean;
  browser: boolean;
  /** Also requests the scope to pay with the user's wallet and card. */
  pay?: boolean;
  json?: boolean;
}

/** Scopes of a sign-in with payments; without payments, Parley's default scopes are sufficient. */
const SCOPES_WITH_PAY = 'agents:read agents:write handshake pay';

/** Signs in with the device flow, or with an access token from stdin, and stores the credentials. */
async function login(session: Session, options: LoginOptions): Promise<void> {
  const { origin, credentials, terminal } = session;
  const scope = options.pay ? SCOPES_WITH_PAY : undefined;
  const credential = options.withToken
    ? await readToken()
    : await signInWithCode(session, { browser: options.browser, scope });
  const { accessToken } = credential;
  // A token is stored only if Parley accepts it.
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

/**
 * Revokes the tokens of the device flow and deletes them. An access token from the settings is only deleted, because
 * other programs may use it.
 */
async function logout(session: Session): Promise<void> {
  const { origin, credentials, terminal } = session;
  const known = credentials.find(origin);
  if (!known) {
    terminal.say(`You were not signed in to ${origin}.`);
    return;
  }
  const isRevoked = known.refreshToken === null || (await revoke(session, known.refreshToken));
  credentials.remove(origin);
  terminal.say(`Signed out of ${origin}.`);
  if (!isRevoked) terminal.say('The token could not be revoked. Revoke it in Settings → Connections.');
}

/** Revokes a token. Returns false if Parley could not be reached; the sign-out continues regardless. */
async function revoke({ origin, signal }: Session, token: string): Promise<boolean> {
  try {
    await callApi(origin, '/api/auth/revoke', { form: { token, client_id: CLIENT_ID }, signal });
    return true;
  } catch (error) {
    if (error instanceof ParleyError) return false;
    throw error;
  }
}

async function whoami(session: Session, { json }: { json?: boolean }): Promise<void> {
  const profile = await session.call<Profile>('/api/auth/profile');
  const { terminal, origin } = session;
  if (json) terminal.print(JSON.stringify({ url: origin, ...profile }));
  else terminal.print(`${plainLine(profile.name)} <${plainLine(profile.email)}> at ${origin}`);
}

/** Adds `parley auth`. */
export function addAuth(program: Command, { act, all }: CommandContext): void {
  const auth = program.command('auth').description('sign in and out');
  auth
    .command('login')
    .description('sign in with a code that you enter in your browser')
    .option('--with-token', 'read an access token from stdin instead')
    .option('--no-browser', 'do not open a browser')
    .option('--pay', 'also request permission to pay')
    .action((options: LoginOptions) => act((session) => login(session, all(options))));
  auth
    .command('logout')
    .description('sign out and revoke the stored token')
    .action(() => act(logout));
  auth
    .command('whoami')
    .description('show who is signed in')
    .action(() => act((session) => whoami(session, all({}))));
}
