import { setTimeout as sleep } from 'node:timers/promises';
import { ParleyError } from '@parley/agent';
import { callApi } from './api.js';
import type { Credential } from './credentials.js';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';

/** Client ID of this program, registered with every Parley: a public client without a secret. */
export const CLIENT_ID = 'parley-cli';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;

/** The code and URL shown to the user. */
export interface DeviceCode {
  userCode: string;
  verificationUri: string;
  expiresInSeconds: number;
}

interface DeviceAnswer {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval?: number;
}

interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
}

export interface DeviceSignIn {
  /** Space-separated; defaults to Parley's own default. */
  scope?: string;
  show: (code: DeviceCode) => void;
  signal: AbortSignal;
}

/**
 * Signs in with the device flow (RFC 8628): shows a code, and polls until the user has decided in the browser.
 * @throws {Failure} if the user denied access or the code expired
 */
export async function signInDevice(origin: string, { scope, show, signal }: DeviceSignIn): Promise<Credential> {
  const asked = { client_id: CLIENT_ID, ...(scope !== undefined && { scope }) };
  const started = await callApi<DeviceAnswer>(origin, '/api/auth/device', { form: asked, signal });
  const { device_code, user_code, verification_uri, expires_in } = started;
  // A Parley must not send users to another origin to enter the code.
  if (!URL.canParse(verification_uri) || new URL(verification_uri).origin !== origin) {
    throw new Failure(
      EXIT.failed,
      `${origin} returned a confirmation page on another site, so the sign-in was not started.`,
    );
  }
  show({ userCode: user_code, verificationUri: verification_uri, expiresInSeconds: expires_in });
  let seconds = started.interval ?? INTERVAL_SECONDS;
  for (;;) {
    await sleep(seconds * 1000, undefined, { signal });
    try {
      const form = { grant_type: DEVICE_GRANT, device_code, client_id: CLIENT_ID };
      return toCredential(await callApi<TokenAnswer>(origin, '/api/auth/token', { form, signal }));
    } catch (error) {
      seconds = nextInterval(error, seconds);
    }
  }
}

/** @throws the error itself, unless it indicates that polling must continue (RFC 8628, section 3.5) */
function nextInterval(error: unknown, seconds: number): number {
  if (!(error instanceof ParleyError)) throw error;
  switch (error.code) {
    case 'authorization_pending':
      return seconds;
    case 'slow_down':
      return seconds + 5;
    case 'unreachable':
    case 'unavailable':
    case 'rate_limited':
      return Math.min(Math.max(seconds, 1) * 2, MAX_INTERVAL_SECONDS);
    case 'access_denied':
      throw new Failure(
        EXIT.signedOut,
        'The sign-in was denied in the browser.',
        'Start again with: parley auth login',
      );
    case 'expired_token':
      throw new Failure(
        EXIT.signedOut,
        'The code expired before it was entered.',
        'Start again with: parley auth login',
      );
    default:
      throw error;
  }
}

/** Requests new tokens with a refresh token, which is consumed (RFC 6749, section 6). */
export async function refresh(origin: string, refreshToken: string): Promise<Credential> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: CLIENT_ID };
  return toCredential(await callApi<TokenAnswer>(origin, '/api/auth/token', { form }));
}

function toCredential({ access_token, refresh_token, expires_in, scope }: TokenAnswer): Credential {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : Math.floor(Date.now() / 1000) + expires_in,
    ...(scope !== undefined && { scope }),
  };
}
