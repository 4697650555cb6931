import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let person: Person;
let agent: { url: string; stop: () => Promise<void> };
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
  agent = await startSdk03Agent();
  slug = await listAgent(parley.url, person, { url: agent.url });
});
afterAll(async () => {
  await agent?.stop();
});

const url = (): URL => new URL(`${parley.url}/mcp`);
const requestInit = (): RequestInit => ({ headers: { authorization: `Bearer ${person.accessToken}` } });

/** The common interface of both clients. */
interface Connected {
  listTools: () => Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool: (
    params: { name: string; arguments: Record<string, unknown> },
    onProgress?: (progress: { message?: string }) => void,
  ) => Promise<{ structuredContent?: Record<string, unknown>; isError?: boolean }>;
  close: () => Promise<void>;
}

const clients: [string, () => Promise<Connected>][] = [
  [
    '@modelcontextprotocol/sdk 1.32, which begins with initialize',
    async () => {
      const client = new Client({ name: 'test', version: '1' });
      // Its declared optional members do not accept `undefined`.
      await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: requestInit() }) as never);
      return {
        listTools: () => client.listTools(),
        callTool: (params, onprogress) =>
          client.callTool(params, undefined, onprogress && { onprogress }) as ReturnType<Connected['callTool']>,
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
      await client.connect(new ModernTransport(url(), { requestInit: requestInit() }));
      return {
        listTools: () => client.listTools(),
        callTool: (params, onprogress) =>
          client.callTool(params, onprogress && { onprogress }) as ReturnType<Connected['callTool']>,
        close: () => client.close(),
      };
    },
  ],
];

describe.each(clients)('%s', (_name, connect) => {
  test('finds an agent and sends messages to it, with progress and structured results', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('send_message');
    const found = await client.callTool({ name: 'search_agents', arguments: { query: 'echo' } });
    expect(JSON.stringify(found.structuredContent)).toContain(`:${slug}"`);
    const progress: (string | undefined)[] = [];
    const params = { name: 'send_message', arguments: { agent: slug, message: 'hello' } };
    const answer = await client.callTool(params, ({ message }) => progress.push(message));
    expect(answer.structuredContent).toMatchObject({ agent: slug, state: 'completed', text: 'hello' });
    expect(progress).toEqual(['he', 'llo']);
    await client.close();
  });

  test('answers an agent’s question, and shows the reason for a rejected call', async () => {
    const client = await connect();
    const send = (args: Record<string, unknown>) =>
      client.callTool({ name: 'send_message', arguments: { agent: slug, ...args } });
    const asked = await send({ message: 'ask' });
    expect(asked.structuredContent).toMatchObject({ state: 'input-required', text: 'What?' });
    const answered = await send({ message: 'this', task_id: asked.structuredContent?.task_id });
    expect(answered.structuredContent).toMatchObject({ state: 'completed', text: 'this' });
    expect(await send({ message: '' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('message') }],
    });
    await expect(send({ agent: 'no-such-agent', message: 'a' })).rejects.toThrow('does not exist');
    await client.close();
  });
});

describe('@modelcontextprotocol/client 2.4, whose host shows forms and opens links', () => {
  async function connect(
    answer: (params: { message: string; mode?: string; requestedSchema?: unknown }) => object,
  ): Promise<ModernClient> {
    const capabilities = { elicitation: { form: {}, url: {} } };
    const client = new ModernClient(
      { name: 'test', version: '1' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params) as { action: 'accept' });
    await client.connect(new ModernTransport(url(), { requestInit: requestInit() }));
    return client;
  }

  const question = () => ({ name: 'send_message', arguments: { agent: slug, message: 'ask' } });

  test('asks the user, and continues the call with the answer', async () => {
    const asked: string[] = [];
    const client = await connect(({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { answer: 'this' } };
    });
    const answer = await client.callTool(question());
    expect(answer.structuredContent).toMatchObject({ state: 'completed', text: 'this' });
    expect(asked).toEqual([expect.stringContaining('What?')]);
    await client.close();
  });

  test('shows the fields of a form, and the agent receives the answer as data', async () => {
    const asked: unknown[] = [];
    const content = { size: 'l', count: 2, toppings: ['basil'], email: 'ada@example.com', gift: true };
    const client = await connect(({ message, requestedSchema }) => {
      asked.push({ message, requestedSchema });
      return { action: 'accept', content };
    });
    const params = { name: 'send_message', arguments: { agent: slug, message: 'form' } };
    const { structuredContent } = await client.callTool(params);
    expect(structuredContent).toMatchObject({ state: 'completed' });
    expect(JSON.parse(String(Object(structuredContent).text))).toEqual(content);
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining('Which pizza?'),
        requestedSchema: {
          required: ['size', 'email'],
          properties: {
            size: {
              oneOf: [
                { const: 's', title: 'Small' },
                { const: 'l', title: 'Large' },
              ],
            },
            count: { type: 'integer', minimum: 1, default: 1 },
            email: { format: 'email' },
          },
        },
      },
    ]);
    await client.close();
  });

  test('ends the call with the question if the user declines', async () => {
    const client = await connect(() => ({ action: 'decline' }));
    const answer = await client.callTool(question());
    expect(answer.structuredContent).toMatchObject({ state: 'input-required', text: 'What?' });
    await client.close();
  });
});
