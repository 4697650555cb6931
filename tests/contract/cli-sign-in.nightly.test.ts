import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine, type TerminalRun } from '../support/cli';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let ada: Person;
let cli: CommandLine;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});
beforeEach(() => {
  cli = new CommandLine({ PARLEY_API_URL: parley.url, SSH_CONNECTION: 'a far machine' });
});
afterEach(() => cli.remove());

interface StoredSignIn {
  accessToken: string;
  refreshToken: string;
  expiresAt: number;
}

const file = (): string => path.join(cli.folder, 'config', 'credentials.json');

function stored(): StoredSignIn {
  return JSON.parse(readFileSync(file(), 'utf8')).servers[parley.url];
}

/** The user's actions in their browser. */
async function decide(userCode: string, allow: boolean): Promise<void> {
  const body = { userCode, allow };
  const response = await send(`${parley.url}/api/auth/device/decide`, { body, cookie: ada.cookie, origin: parley.url });
  expect(response.status).toBe(204);
}

async function codeOn(run: TerminalRun): Promise<string> {
  await run.sees(/enter this code: \w{4}-\w{4}/);
  return /enter this code: (\S+)/.exec(run.screen)?.[1] ?? '';
}

async function signIn(): Promise<void> {
  const run = cli.open(['auth', 'login']);
  await decide(await codeOn(run), true);
  expect(await run.end()).toBe(0);
  await run.sees(`Signed in to ${parley.url} as ${ada.email}.`);
}

/** Makes the access token appear expired. */
function age(): void {
  const all = JSON.parse(readFileSync(file(), 'utf8'));
  all.servers[parley.url].expiresAt = 1;
  writeFileSync(file(), JSON.stringify(all));
}

describe('parley auth login', { timeout: 30_000 }, () => {
  it('RFC 8628: signs in with a code, and stores credentials that only their owner can read', async () => {
    await signIn();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await cli.run(['auth', 'whoami'])).toEqual({
      code: 0,
      stdout: `Ada <${ada.email}> at ${parley.url}\n`,
      stderr: '',
    });
    const { accessToken, refreshToken } = stored();
    const signedOut = await cli.run(['auth', 'logout']);
    expect(signedOut).toEqual({ code: 0, stdout: '', stderr: `Signed out of ${parley.url}.\n` });
    // Parley was notified: neither token is valid any more.
    const refused = await cli.run(['auth', 'whoami'], { env: { PARLEY_TOKEN: accessToken } });
    expect(refused.code).toBe(3);
    expect(readFileSync(file(), 'utf8')).not.toContain(refreshToken);
  });

  it('works without a terminal, and prints neither a spinner nor colors', async () => {
    let shown = '';
    const onStderr = (text: string): void => {
      shown = text;
    };
    const run = cli.run(['auth', 'login', '--json'], { onStderr });
    const userCode = await waitFor(() => /enter this code: (\S+)\n/.exec(shown)?.[1], { what: 'a code' });
    await decide(userCode, true);
    const { code, stdout, stderr } = await run;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: parley.url, email: ada.email });
    expect(stderr).not.toContain('\u001b');
  });

  it('explains what to do if the sign-in is denied', async () => {
    const run = cli.open(['auth', 'login']);
    await decide(await codeOn(run), false);
    expect(await run.end()).toBe(3);
    await run.sees('The sign-in was denied in the browser.');
    await run.sees('Start again with: parley auth login');
  });

  it('ends on Ctrl-C and stores no token', async () => {
    const run = cli.open(['auth', 'login']);
    await codeOn(run);
    run.press('\u0003');
    expect(await run.end()).toBe(130);
    expect((await cli.run(['auth', 'whoami'])).code).toBe(3);
  });

  it('TOK-7 renews an expired token once for all concurrent commands', async () => {
    await signIn();
    const before = stored();
    age();
    const runs = await Promise.all(Array.from({ length: 4 }, () => cli.run(['auth', 'whoami'])));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(stored().refreshToken).not.toBe(before.refreshToken);
    expect(stored().expiresAt).toBeGreaterThan(Date.now() / 1000);
  });

  it('TOK-7 signs out if its refresh token was used elsewhere', async () => {
    await signIn();
    const stolen = readFileSync(file(), 'utf8');
    age();
    expect((await cli.run(['auth', 'whoami'])).code).toBe(0);
    writeFileSync(file(), stolen);
    age();
    expect(await cli.run(['auth', 'whoami'])).toMatchObject({ code: 3 });
    expect(await cli.run(['auth', 'whoami'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('You are not signed in'),
    });
  });
});
