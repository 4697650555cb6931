import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HubAgent, listHubAgent } from '../contract/hub-fixture';
import { partsOf, questionOf, type Task, textOf } from '../contract/serve-mcp-fixture';
import { connectTo, createPerson, listAgent, message10, rpc, send, withHeaders } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

/** `parley serve --mcp` with public MCP servers from npm, unmodified. */
let parley: SharedParley;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  folder = mkdtempSync(path.join(tmpdir(), 'parley-servers-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) await stop(child);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.kill('SIGINT');
  return ended;
}

/** An agent whose skills are the tools of a server, and functions that call it. */
class ServedServer {
  private constructor(
    readonly agent: HubAgent,
    readonly child: ChildProcess,
  ) {}

  static async start(name: string, args: string[] = []): Promise<ServedServer> {
    const file = path.resolve(`tests/interop/node_modules/@modelcontextprotocol/${name}/dist/index.js`);
    const command = [process.execPath, file, ...args].map((word) => `'${word}'`).join(' ');
    const agent = await listHubAgent(parley);
    const cli = ['serve', '--mcp', command, '--agent', agent.slug, '--json'];
    const child = spawn(process.execPath, [path.resolve('packages/cli/bin/parley.mjs'), ...cli], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PARLEY_API_URL: parley.url,
        PARLEY_TOKEN: agent.token,
        PARLEY_CONFIG_DIR: folder,
        MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    const lines: { state?: string }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
    const isOnline = (): boolean => child.exitCode !== null || lines.some(({ state }) => state === 'online');
    await waitFor(isOnline, { what: `${name} to be online` });
    expect(child.exitCode).toBeNull();
    return new ServedServer(agent, child);
  }

  async ask(parts: object[], more: object = {}): Promise<Task> {
    const caller = withHeaders(this.agent.caller, { 'a2a-version': '1.0' });
    const { body } = await rpc(caller, 'SendMessage', message10('', { parts, ...more }));
    expect(body.error).toBeUndefined();
    return (body.result as { task: Task }).task;
  }

  call(tool: string, args: object): Promise<Task> {
    return this.ask([{ data: { tool, arguments: args } }]);
  }

  async skills(): Promise<string[]> {
    const url = `${parley.url}/agents/${this.agent.slug}/.well-known/agent-card.json`;
    const { skills } = (await (await send(url, { method: 'GET' })).json()) as { skills: { id: string }[] };
    return skills.map(({ id }) => id);
  }
}

describe('@modelcontextprotocol/server-everything', () => {
  test('is listed with its tools; calls, images, links, structure and errors arrive', async () => {
    const server = await ServedServer.start('server-everything', ['stdio']);
    await waitFor(async () => (await server.skills()).includes('trigger-elicitation-request'), { what: 'its tools' });
    expect(textOf(await server.call('echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(textOf(await server.call('get-sum', { a: 2, b: 3 }))).toContain('5');
    const image = partsOf(await server.call('get-tiny-image', {}));
    expect(image.some(({ mediaType, raw }) => mediaType === 'image/png' && raw)).toBe(true);
    const weather = partsOf(await server.call('get-structured-content', { location: 'Chicago' }));
    expect(weather).toEqual([{ data: expect.objectContaining({ temperature: expect.any(Number) }) }]);
    const failed = await server.call('get-sum', { a: 'two', b: 3 });
    expect(failed.status.state).toBe('TASK_STATE_FAILED');
  });

  test('reports progress, and asks its question as a form in the middle of a call', async () => {
    const server = await ServedServer.start('server-everything', ['stdio']);
    const slow = await server.call('trigger-long-running-operation', { duration: 0.2, steps: 2 });
    expect(textOf(slow)).toContain('completed');
    const asked = await server.call('trigger-elicitation-request', {});
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(questionOf(asked)).toMatchObject({ requestedSchema: { properties: { name: { type: 'string' } } } });
    const content = { name: 'Ada', color: 'blue' };
    const done = await server.ask([{ data: { action: 'accept', content } }], {
      taskId: asked.id,
      contextId: asked.contextId,
    });
    expect(textOf(done)).toContain('Ada');
  });
});

describe('@modelcontextprotocol/server-filesystem', () => {
  test('reads and writes in its folder only, and ends with the command', async () => {
    writeFileSync(path.join(folder, 'a.txt'), 'A file');
    const server = await ServedServer.start('server-filesystem', [folder]);
    expect(
      JSON.stringify(partsOf(await server.call('read_text_file', { path: path.join(folder, 'a.txt') }))),
    ).toContain('A file');
    await server.call('write_file', { path: path.join(folder, 'b.txt'), content: 'Written' });
    expect(readFileSync(path.join(folder, 'b.txt'), 'utf8')).toBe('Written');
    const refused = await server.call('read_text_file', { path: '/etc/hostname' });
    expect(refused.status.state).toBe('TASK_STATE_FAILED');
    const form = await server.ask([{ text: 'read_text_file' }]);
    expect(questionOf(form)).toMatchObject({ schema: { properties: { tool: { const: 'read_text_file' } } } });
    expect(await stop(server.child)).toBe(0);
  });
});

describe('@modelcontextprotocol/server-memory', () => {
  test('keeps what one call stores for the next', async () => {
    const server = await ServedServer.start('server-memory');
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    expect((await server.call('create_entities', { entities })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.stringify(partsOf(await server.call('search_nodes', { query: 'Ada' })))).toContain('writes programs');
  });
});

describe('@modelcontextprotocol/server-sequential-thinking', () => {
  test('has one tool, whose form has all of its fields', async () => {
    const server = await ServedServer.start('server-sequential-thinking');
    const asked = await server.ask([{ text: 'Think about primes' }]);
    expect(questionOf(asked)).toMatchObject({
      schema: { properties: { arguments: { required: expect.arrayContaining(['thought', 'totalThoughts']) } } },
    });
    const args = { thought: 'Start', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const done = await server.call('sequentialthinking', args);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('@modelcontextprotocol/server-everything over HTTP', () => {
  test('is listed by its URL; calls, progress and its question arrive', async () => {
    const port = await freePort();
    const file = path.resolve('tests/interop/node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const child = spawn(process.execPath, [file, 'streamableHttp'], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port) },
      stdio: 'ignore',
    });
    running.push(child);
    const url = `http://127.0.0.1:${port}/mcp`;
    const answers = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await waitFor(answers, { what: 'the server' });
    const person = await createPerson(parley.url);
    const slug = await listAgent(parley.url, person, { url });
    const connection = withHeaders(await connectTo(parley.url, person, slug), { 'a2a-version': '1.0' });
    const ask = async (data: object, more: object = {}): Promise<Task> => {
      const { body } = await rpc(connection, 'SendMessage', message10('', { parts: [{ data }], ...more }));
      expect(body.error).toBeUndefined();
      return (body.result as { task: Task }).task;
    };
    expect(textOf(await ask({ tool: 'echo', arguments: { message: 'hi' } }))).toBe('Echo: hi');
    const slow = await ask({ tool: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } });
    expect(textOf(slow)).toContain('completed');
    const asked = await ask({ tool: 'trigger-elicitation-request', arguments: {} });
    expect(questionOf(asked)).toMatchObject({ requestedSchema: { properties: { name: { type: 'string' } } } });
    const reply = { taskId: asked.id, contextId: asked.contextId };
    expect(textOf(await ask({ action: 'accept', content: { name: 'Ada' } }, reply))).toContain('Ada');
  });
});
