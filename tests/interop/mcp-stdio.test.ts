import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

/** `parley mcp`, started by hosts that only know servers on stdin and stdout. */

let parley: SharedParley;
let person: Person;
let agent: ScriptedAgent;
let slug: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-stdio-'));
  parley = await sharedParley();
  person = await createPerson(parley.url);
  agent = await ScriptedAgent.start({ name: 'Echo of stdin' });
  slug = await listAgent(parley.url, person, { url: agent.url });
});
afterAll(async () => {
  await agent?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const server = () => ({
  command: process.execPath,
  args: [path.resolve('packages/cli/bin/parley.mjs'), 'mcp'],
  env: { PARLEY_API_URL: parley.url, PARLEY_TOKEN: person.accessToken, PARLEY_CONFIG_DIR: folder },
  stderr: 'pipe' as const,
});

interface Options {
  onprogress?: (progress: { message?: string }) => void;
  signal?: AbortSignal;
}

/** The common interface of both clients. */
interface Connected {
  listTools: () => Promise<{ tools: { name: string }[] }>;
  callTool: (
    params: { name: string; arguments: Record<string, unknown> },
    options?: Options,
  ) => Promise<{ structuredContent?: Record<string, unknown> }>;
  pid: () => number | null;
  close: () => Promise<void>;
}

const clients: [string, () => Promise<Connected>][] = [
  [
    '@modelcontextprotocol/sdk 1.32, which begins with initialize',
    async () => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StdioClientTransport(server());
      await client.connect(transport);
      return {
        listTools: () => client.listTools(),
        callTool: (params, options) => client.callTool(params, undefined, options) as ReturnType<Connected['callTool']>,
        pid: () => transport.pid,
        close: () => client.close(),
      };
    },
  ],
  [
    '@modelcontextprotocol/client 2.4, which uses 2026-07-28',
    async () => {
      const client = new ModernClient(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      const transport = new ModernTransport(server());
      await client.connect(transport);
      return {
        listTools: () => client.listTools(),
        callTool: (params, options) => client.callTool(params, options) as ReturnType<Connected['callTool']>,
        pid: () => transport.pid,
        close: () => client.close(),
      };
    },
  ],
];

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each(clients)('%s', (_name, connect) => {
  test('lists the tools, calls a tool with progress, and ends when its host ends', async () => {
    const progress: (string | undefined)[] = [];
    agent.answer(async ({ result, end }) => {
      result(agent03.artifact('t', 'he'));
      await waitFor(() => progress.length > 0, { what: 'the progress at the host' });
      result(agent03.artifact('t', 'llo', { append: true }));
      result(agent03.status('t', 'completed'));
      end();
    });
    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('send_message');
    const params = { name: 'send_message', arguments: { agent: slug, message: 'hello' } };
    const answer = await client.callTool(params, { onprogress: ({ message }) => progress.push(message) });
    expect(answer.structuredContent).toMatchObject({ agent: slug, state: 'completed', text: 'hello' });
    expect(progress[0]).toBe('he');
    const pid = client.pid();
    await client.close();
    await waitFor(() => pid !== null && !isAlive(pid), { what: 'the end of the process' });
  });

  test('reports a rejection by Parley as an error', async () => {
    const client = await connect();
    const params = { name: 'send_message', arguments: { agent: 'no-such-agent', message: 'Hi' } };
    await expect(client.callTool(params)).rejects.toThrow(/no-such-agent/);
    await client.close();
  });

  test('cancels the task if its host cancels the call, while other calls run', async () => {
    agent.received.length = 0;
    agent.answer(({ result, json, received }) => {
      const canceled = agent03.task(received.params.id ?? '', 'canceled');
      if (received.method === 'tasks/cancel') json({ jsonrpc: '2.0', id: received.id, result: canceled });
      else result(agent03.status('t', 'working', 'Looking'));
    });
    const client = await connect();
    const controller = new AbortController();
    const params = { name: 'send_message', arguments: { agent: slug, message: 'hello' } };
    const onprogress = (): void => controller.abort();
    const call = client.callTool(params, { signal: controller.signal, onprogress });
    await expect(call).rejects.toThrow();
    const isCanceled = (): boolean => agent.received.some(({ method }) => method === 'tasks/cancel');
    await waitFor(isCanceled, { what: 'the cancellation at the agent' });
    expect((await client.listTools()).tools).not.toEqual([]);
    await client.close();
  });
});
