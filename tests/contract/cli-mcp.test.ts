import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/cli';
import { createPerson, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let ada: Person;
let cli: CommandLine;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});
beforeEach(() => {
  cli = new CommandLine({ PARLEY_API_URL: parley.url });
});
afterEach(() => cli.remove());

const lines = (...messages: (object | string)[]): string =>
  messages.map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`).join('');

const answersOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('parley mcp', () => {
  it('writes only messages to stdout, one per line with its request id, and ends when stdin closes', async () => {
    const list = { jsonrpc: '2.0', id: 'two', method: 'tools/list' };
    const { code, stdout, stderr } = await cli.run(['mcp'], {
      stdin: lines(initialize, initialized, list, ''),
      env: { PARLEY_TOKEN: ada.accessToken },
    });
    expect([code, stderr]).toEqual([0, '']);
    const answers = answersOf(stdout).sort((a, b) => String(a.id).localeCompare(String(b.id)));
    expect(answers).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'parley' } } },
      { id: 'two', result: { tools: expect.any(Array) } },
    ]);
  });

  it('uses the command line’s sign-in', async () => {
    await cli.run(['auth', 'login', '--with-token'], { stdin: ada.accessToken });
    const { stdout } = await cli.run(['mcp'], { stdin: lines(initialize) });
    expect(answersOf(stdout)).toMatchObject([{ id: 1, result: { serverInfo: { name: 'parley' } } }]);
  });

  it('names the required action if the user is signed out or the token was revoked', async () => {
    const signedOut = await cli.run(['mcp'], { stdin: lines(initialize) });
    expect([signedOut.code, answersOf(signedOut.stdout)]).toMatchObject([
      0,
      [{ id: 1, error: { code: -32603, message: expect.stringContaining('parley auth login') } }],
    ]);
    const env = { PARLEY_TOKEN: 'parley_pat_revoked' };
    const revoked = await cli.run(['mcp'], { stdin: lines(initialize, initialized), env });
    expect(answersOf(revoked.stdout)).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('parley auth login') } },
    ]);
  });

  it('returns an error if Parley does not respond', async () => {
    const env = { PARLEY_API_URL: 'http://127.0.0.1:9', PARLEY_TOKEN: ada.accessToken };
    const { stdout } = await cli.run(['mcp'], { stdin: lines(initialize), env });
    expect(answersOf(stdout)).toMatchObject([
      { id: 1, error: { code: -32603, message: expect.stringContaining('does not respond') } },
    ]);
  });

  it.each(['{', '[]', '"text"', 'null'])('rejects the line %s and continues to read', async (line) => {
    const { code, stdout } = await cli.run(['mcp'], {
      stdin: lines(line, initialize),
      env: { PARLEY_TOKEN: ada.accessToken },
    });
    expect(code).toBe(0);
    expect(answersOf(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
        expect.objectContaining({ id: 1, result: expect.anything() }),
      ]),
    );
  });

  it('forwards Parley’s error for an unknown method', async () => {
    const { stdout } = await cli.run(['mcp'], {
      stdin: lines({ jsonrpc: '2.0', id: 7, method: 'resources/list' }),
      env: { PARLEY_TOKEN: ada.accessToken },
    });
    expect(answersOf(stdout)).toMatchObject([{ id: 7, error: { code: -32601 } }]);
  });
});
