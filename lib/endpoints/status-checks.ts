import { get } from 'node:http';
import { isMailServerReachable, isSmtpConfigured } from '../identity';
import { isListening } from '../platform/bus';
import { env } from '../platform/env';
import { failuresOf, readinessChecks } from '../platform/readiness';
import type { Checks } from '../status';

/** How this node looks at each part of Parley: what `/readyz` asks too, and what others depend on. */
export function statusChecks(): Checks {
  const passes = async (checkName: string): Promise<boolean> => {
    const found = readinessChecks().filter(({ name }) => name === checkName);
    return found.length > 0 && Object.keys(await failuresOf(found)).length === 0;
  };
  return {
    web: checkPages,
    gateway: () => passes('keys'),
    database: () => passes('database'),
    events: async () => isListening(),
    ...(isSmtpConfigured() && { mail: isMailServerReachable }),
  };
}

/** Asks this server for a file that Next serves. */
function checkPages(): Promise<boolean> {
  const { HOST, PORT, APP_URL } = env();
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return new Promise((resolve) => {
    const options = { host, port: PORT, path: '/icon.svg', headers: { host: new URL(APP_URL).host }, timeout: 10_000 };
    const request = get(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
