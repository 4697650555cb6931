import path from 'node:path';
import { type Client, createClient, type Fetch, originOf, ParleyError, type Retry } from '@parley/agent';
import { type ApiCall, callApi } from './api.js';
import { Conversations } from './conversations.js';
import { type Credential, CredentialFile } from './credentials.js';
import { refresh } from './device-sign-in.js';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import { withFileLock } from './file-lock.js';
import type { Terminal } from './terminal.js';

/** Data and functions for a command. */
export interface Session {
  /** The Parley's origin. */
  origin: string;
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
  credentials: CredentialFile;
  conversations: Conversations;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  /** @throws {Failure} if no user is signed in */
  accessToken(): Promise<string>;
  /** Calls an endpoint of Parley as the signed-in user. */
  call<Answer extends object>(apiPath: string, call?: ApiCall): Promise<Answer>;
  /** Calls a public endpoint, signed in or not. */
  callOpenly<Answer extends object>(apiPath: string): Promise<Answer>;
  /** Returns a client that calls agents as that user; `fetch` receives each request. */
  client(fetch?: Fetch): Client;
}

export interface SessionOptions {
  /** `--api-url`. */
  apiUrl: string | undefined;
  folder: string;
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
  signal: AbortSignal;
}

const LOCAL = 'http://localhost:3000';
/** An access token that expires within this time is renewed before use, in seconds. */
const RENEW_BEFORE_SECONDS = 60;

export function openSession({ apiUrl, folder, environment, terminal, signal }: SessionOptions): Session {
  const credentials = new CredentialFile(folder);
  const origin = readOrigin(apiUrl ?? (environment.PARLEY_API_URL || credentials.current || LOCAL));
  const accessToken = async (): Promise<string> =>
    environment.PARLEY_TOKEN?.trim() || (await currentToken(credentials, origin));
  const onRetry = ({ waitMs }: Retry): void =>
    terminal.say(`Parley is busy; trying again in ${Math.ceil(waitMs / 1_000)} s.`);
  return {
    origin,
    environment,
    terminal,
    credentials,
    conversations: new Conversations(folder, origin),
    signal,
    accessToken,
    call: async (apiPath, call = {}) =>
      callApi(origin, apiPath, { signal, onRetry, accessToken: await accessToken(), ...call }),
    callOpenly: (apiPath) => callApi(origin, apiPath, { signal, onRetry }),
    client: (fetch) => createClient({ url: origin, accessToken, fetch, onRetry }),
  };
}

function readOrigin(given: string): string {
  try {
    return originOf(given);
  } catch {
    throw new Failure(
      EXIT.usage,
      `"${given}" is not the origin of a Parley.`,
      'Expected an origin such as https://parley.example, in --api-url or PARLEY_API_URL.',
    );
  }
}

async function currentToken(credentials: CredentialFile, origin: string): Promise<string> {
  const known = credentials.find(origin) ?? signedOut(origin);
  if (!isOld(known)) return known.accessToken;
  // Reuse of a refresh token signs out the user, so only one process renews at a time.
  return withFileLock(path.join(path.dirname(credentials.file), 'refresh.lock'), async () => {
    const latest = credentials.find(origin) ?? signedOut(origin);
    if (!isOld(latest) || latest.refreshToken === null) return latest.accessToken;
    const renewed = await refresh(origin, latest.refreshToken).catch((error: unknown) => {
      if (error instanceof ParleyError && error.code === 'invalid_grant') credentials.remove(origin);
      throw error;
    });
    credentials.keep(origin, renewed);
    return renewed.accessToken;
  });
}

function isOld({ expiresAt, refreshToken }: Credential): boolean {
  return refreshToken !== null && expiresAt !== null && expiresAt - RENEW_BEFORE_SECONDS < Date.now() / 1000;
}

function signedOut(origin: string): never {
  throw new Failure(
    EXIT.signedOut,
    `You are not signed in to ${origin}.`,
    'Sign in with: parley auth login. In scripts, set PARLEY_TOKEN to an access token from your settings.',
  );
}
