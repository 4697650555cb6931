import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claudeCodeCommand,
  cursorConfig,
  cursorLink,
  vsCodeConfig,
  vsCodeLink,
} from '@/components/market/connect/host-links';
import { CommandLine } from '../support/cli';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** What the docs and agent pages tell users to enter in their hosts works as written. */

const ORIGIN = 'https://parley.example';

interface Server {
  url?: string;
  command?: string;
  args?: string[];
  headers?: Record<string, string>;
}

let parley: SharedParley;
let ada: Person;
let cli: CommandLine;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});
beforeEach(() => {
  cli = new CommandLine({ PARLEY_TOKEN: ada.accessToken });
});
afterEach(() => cli.remove());

const page = readFileSync('docs/site/mcp.mdx', 'utf8');
const configs = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)]
  .map(([, text = '']) => JSON.parse(text) as { mcpServers?: Record<string, Server>; servers?: Record<string, Server> })
  .flatMap(({ mcpServers, servers }) => Object.values({ ...mcpServers, ...servers }));

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } },
};

describe('the configurations of MCP hosts in the docs', () => {
  it('reach Parley’s server by URL', async () => {
    const urls = configs.flatMap(({ url }) => url ?? []);
    expect(urls.length).toBeGreaterThanOrEqual(3);
    for (const url of urls) {
      const response = await send(url.replace(ORIGIN, parley.url), { bearer: ada.accessToken, body: initialize });
      expect(await response.json()).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
    }
  });

  it('start the server as a program', async () => {
    const [program] = configs.filter(({ command }) => command);
    const [packageUrl, ...args] = program?.args ?? [];
    expect([program?.command, packageUrl]).toEqual(['npx', `${ORIGIN}/packages/parley.tgz`]);
    const { stdout } = await cli.run(
      args.map((arg) => arg.replace(ORIGIN, parley.url)),
      { stdin: `${JSON.stringify(initialize)}\n` },
    );
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
  });
});

describe('the links of an agent’s page', () => {
  const server = { name: 'my-agent', url: `${ORIGIN}/agents/my-agent/mcp` };

  it('open Cursor and VS Code with the server', () => {
    const cursor = new URL(cursorLink(server));
    expect([cursor.protocol, cursor.host, cursor.pathname]).toEqual([
      'cursor:',
      'anysphere.cursor-deeplink',
      '/mcp/install',
    ]);
    expect(cursor.searchParams.get('name')).toBe('my-agent');
    expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: server.url });
    const [start, query = ''] = vsCodeLink(server).split('?');
    expect(start).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: 'my-agent', type: 'http', url: server.url });
  });

  it('are the same server as the configurations and the command', () => {
    expect(JSON.parse(cursorConfig(server))).toEqual({ mcpServers: { 'my-agent': { url: server.url } } });
    expect(JSON.parse(vsCodeConfig(server))).toEqual({ servers: { 'my-agent': { type: 'http', url: server.url } } });
    expect(claudeCodeCommand(server)).toBe(`claude mcp add --transport http my-agent ${server.url}`);
  });
});
