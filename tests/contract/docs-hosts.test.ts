import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claudeCodeCommand,
  cursorConfig,
  cursorLink,
  vsCodeConfig,
  vsCodeLink,
} from '@/components/market/agent-page/connect/app-configs';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { marked } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** The settings that the docs and agent pages show for hosts work as written. */

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

const page = (slug: string): string => readFileSync(`docs/site/${slug}.mdx`, 'utf8');
/** The configurations of one page. */
const configsOf = (slug: string): Server[] =>
  [...page(slug).matchAll(/^```json\n([\s\S]*?)^```$/gm)]
    .map(
      ([, text = '']) => JSON.parse(text) as { mcpServers?: Record<string, Server>; servers?: Record<string, Server> },
    )
    .flatMap(({ mcpServers, servers }) => Object.values({ ...mcpServers, ...servers }));

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } },
};

async function expectServerAt(url: string): Promise<void> {
  const address = url.replace(ORIGIN, parley.url);
  const challenge = (await send(address, { body: initialize })).headers.get('www-authenticate') ?? '';
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  // The response that a host reads before it opens the sign-in.
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: address,
    authorization_servers: [parley.url],
  });
  const response = await send(address, { bearer: ada.accessToken, body: initialize });
  expect(await response.json()).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
}

describe('the docs pages for MCP hosts', () => {
  it.each(['use-cursor', 'use-vs-code'])('contain only configurations that connect to the server: %s', async (slug) => {
    const configs = configsOf(slug);
    expect(configs.filter(({ headers }) => headers)).toHaveLength(1);
    expect(configs).toHaveLength(2);
    for (const { url = '', headers } of configs) {
      await expectServerAt(url);
      // The token comes from the host's own variable.
      if (headers) expect(headers.Authorization).toMatch(/^Bearer \$\{(env:PARLEY_TOKEN|input:parley-token)\}$/);
    }
  });

  it.each(['use-claude', 'use-chatgpt', 'use-claude-code'])('contain the server’s URL: %s', async (slug) => {
    const urls = page(slug).match(/https:\/\/parley\.example\/mcp\b/g) ?? [];
    expect(urls.length).toBeGreaterThanOrEqual(1);
    for (const url of urls) await expectServerAt(url);
  });

  it('contain the command-line configuration for a host that does not support remote servers', async () => {
    const [program] = configsOf('mcp').filter(({ command }) => command);
    const [packageUrl, ...args] = program?.args ?? [];
    expect([program?.command, packageUrl]).toEqual(['npx', `${ORIGIN}/packages/parley.tgz`]);
    const { stdout } = await cli.run(
      args.map((arg) => arg.replace(ORIGIN, parley.url)),
      { stdin: `${JSON.stringify(initialize)}\n` },
    );
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
  });
});

describe('the docs pages for clients of OpenAI’s API', () => {
  let agent: ScriptedAgent;
  let model: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Documented' });
    agent.answer(({ result, end }) => {
      result(agent03.status('t', 'completed', 'Hello'));
      end();
    });
    model = await listAgent(parley.url, ada, { url: agent.url });
  });
  afterAll(() => agent?.stop());

  it.each(['use-open-webui', 'use-librechat', 'use-litellm', 'use-continue', 'use-openai-libraries'])(
    'contain a base URL that lists the agent as a model and completes a chat: %s',
    async (slug) => {
      const urls = new Set(page(slug).match(/https:\/\/parley\.example\/v1\b/g));
      expect([...urls]).toEqual([`${ORIGIN}/v1`]);
      expect(page(slug)).toMatch(/PARLEY_TOKEN|and the token/);
      const base = `${parley.url}/v1`;
      const completion = { model, messages: [{ role: 'user', content: 'Hi' }] };
      const answered = await send(`${base}/chat/completions`, { bearer: ada.accessToken, body: completion });
      expect(await answered.json()).toMatchObject({
        choices: [{ message: { content: expect.stringMatching(marked('Hello')) } }],
      });
      const { data } = (await (await send(`${base}/models`, { bearer: ada.accessToken })).json()) as {
        data: { id: string }[];
      };
      expect(data.map(({ id }) => id)).toContain(model);
    },
  );
});

describe('the links on an agent’s page', () => {
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

  it('name the same server as the configurations and the command', () => {
    expect(JSON.parse(cursorConfig(server))).toEqual({ mcpServers: { 'my-agent': { url: server.url } } });
    expect(JSON.parse(vsCodeConfig(server))).toEqual({ servers: { 'my-agent': { type: 'http', url: server.url } } });
    expect(claudeCodeCommand(server)).toBe(`claude mcp add --transport http my-agent ${server.url}`);
  });
});
