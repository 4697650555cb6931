import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a page in the user's browser; does nothing over SSH, where the browser would open on the wrong machine. */
export function openBrowser(url: string, environment: NodeJS.ProcessEnv = process.env): void {
  if (environment.SSH_CONNECTION || environment.SSH_TTY) return;
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  // The URL is also printed, so a browser is not required.
  child.once('error', () => undefined);
  child.unref();
}
