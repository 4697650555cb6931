import type { Credential } from './credentials.js';
import { type DeviceCode, signInDevice } from './device-sign-in.js';
import { openBrowser } from './open-browser.js';
import type { Session } from './session.js';
import { plainLine } from './terminal.js';

/** Signs in with the device flow: shows the code and, at a terminal, opens the browser unless `browser` is false. */
export function signInWithCode(
  { origin, terminal, signal }: Session,
  { browser, scope }: { browser: boolean; scope?: string },
): Promise<Credential> {
  const show = ({ userCode, verificationUri, expiresInSeconds }: DeviceCode): void => {
    const minutes = Math.round(expiresInSeconds / 60);
    terminal.say(`Open ${plainLine(verificationUri)} and enter this code: ${plainLine(userCode)}`);
    terminal.say(`The code expires in ${minutes} minutes. Approve only a sign-in that you started yourself.`);
    if (browser && terminal.isInteractive) openBrowser(verificationUri);
  };
  return signInDevice(origin, { ...(scope !== undefined && { scope }), show, signal });
}
