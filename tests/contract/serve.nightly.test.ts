import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectOptions, connect, type Connection as Served, type TurnSummary } from '@parley/agent/serve';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LateAgent } from '../fakes/late-agent';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import {
  type Connection,
  connectTo,
  message03,
  message10,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  send,
  type WireEvent,
  withHeaders,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';
import { createApp } from './tokens-fixture';

const hasWebsockets = spawnSync('python3', ['-c', 'import websockets']).status === 0;
if (!hasWebsockets) console.warn('examples/python/serve.py was not run: python3 has no package "websockets"');
const CLI = path.resolve('packages/cli/bin/parley.mjs');

let parley: Parley;
let agent: HubAgent;
let folder: string;
const served: Served[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  parley = await startParley();
  agent = await listHubAgent(parley);
  folder = mkdtempSync(path.join(tmpdir(), 'parley-serve-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
});
afterEach(async () => {
  for (const connection of served.splice(0)) await connection.drain({ timeoutMs: 0 });
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await parley?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function serving(handle: ConnectOptions['handle'], more: Partial<ConnectOptions> = {}): Promise<Served> {
  const options = { url: parley.url, agent: agent.slug, token: agent.token, handle, ...more };
  const connection = await connect(options as ConnectOptions);
  served.push(connection);
  await waitFor(() => connection.state === 'online', { what: 'the worker to be online' });
  return connection;
}

const v10 = (connection: Connection): Connection => withHeaders(connection, { 'a2a-version': '1.0' });

async function stream10(text: string, extra: object = {}): Promise<WireEvent[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10(text, extra) };
  return readEvents(await post(v10(agent.caller), body));
}

interface Task10 {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
}

async function send10(text: string, extra: object = {}, to: Connection = agent.caller): Promise<Task10> {
  const { body } = await rpc(v10(to), 'SendMessage', message10(text, extra));
  expect(body.error).toBeUndefined();
  return (body.result as { task: Task10 }).task;
}

const textOf = ({ artifacts = [] }: Task10): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

describe('an agent without a public URL', () => {
  it('can be called in A2A 1.0 and 0.3, streaming and blocking', async () => {
    await serving(async function* ({ text, caller }) {
      yield `${caller?.clientId ? 'Known' : 'Unknown'}: `;
      yield text;
    });
    const task = await send10('one');
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_COMPLETED', 'Known: one']);

    const events = await stream10('two');
    const pieces = events.flatMap(({ data }) => {
      const { result } = data as { result: { artifactUpdate?: { artifact: { parts: { text: string }[] } } } };
      return result.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [];
    });
    expect(pieces.join('')).toBe('Known: two');
    expect(events.at(-1)?.data).toMatchObject({
      result: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });

    const { body } = await rpc(agent.caller, 'message/send', {
      ...message03('three'),
      configuration: { blocking: true },
    });
    expect(body.result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(JSON.stringify(body.result)).toContain('three');

    const request = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('four') };
    const legacy = await readEvents(await post(agent.caller, request));
    expect(resultOf(legacy.at(-1))).toMatchObject({
      kind: 'status-update',
      final: true,
      status: { state: 'completed' },
    });
    expect(JSON.stringify(legacy)).toContain('four');
  });

  it('asks a question, and its next turn includes the question', async () => {
    await serving(async function* (turn) {
      if (turn.isReply) yield `${turn.history.map(({ parts }) => parts[0]?.text).join(' / ')} / ${turn.text}`;
      else yield turn.ask('Which city?');
    });
    const asked = await send10('Weather');
    expect(asked.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'Which city?' }] },
    });
    const answered = await send10('Rome', { taskId: asked.id, contextId: asked.contextId });
    expect(answered.id).toBe(asked.id);
    expect([answered.status.state, textOf(answered)]).toEqual(['TASK_STATE_COMPLETED', 'Weather / Which city? / Rome']);
  });

  it('receives a cancellation through turn.signal', async () => {
    const summaries: TurnSummary[] = [];
    await serving(
      async function* ({ signal }) {
        yield 'working';
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      { onTurn: (summary) => summaries.push(summary) },
    );
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('long') };
    const response = await post(v10(agent.caller), request);
    const events = await readEvents(response, (all) => JSON.stringify(all).includes('working'));
    const { task } = resultOf<{ task: Task10 }>(events[0]);
    const { body } = await rpc(v10(agent.caller), 'CancelTask', { id: task.id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await waitFor(() => summaries.length === 1, { what: 'the end of the turn' });
    expect(summaries[0]?.outcome).toBe('canceled');
  });

  it('fails with its own text if it throws, without disclosing the error', async () => {
    await serving(
      async () => {
        throw new Error('password=secret');
      },
      { onTurn: () => undefined },
    );
    const task = await send10('Hi');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(task.status.message?.parts[0]?.text).toMatch(/could not finish/);
    expect(JSON.stringify(task)).not.toContain('secret');
  });

  it('streams more than its window, in order', async () => {
    const numbers = Array.from({ length: 500 }, (_, at) => `${at};`);
    await serving(async function* () {
      yield* numbers;
    });
    expect(textOf(await send10('count'))).toBe(numbers.join(''));
  });

  it('continues its turns after Parley restarts', { timeout: 60_000 }, async () => {
    const numbers = Array.from({ length: 200 }, (_, at) => `${at};`);
    let starts = 0;
    let proceed: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const worker = await serving(async function* () {
      starts += 1;
      yield* numbers.slice(0, 100);
      await gate;
      yield* numbers.slice(100);
    });
    const { id } = await begin('count');
    await parley.restart();
    proceed();
    await waitFor(() => worker.state === 'online', { what: 'the reconnect', timeout: 30_000 });
    const task = await waitFor(
      async () => {
        const { body } = await rpc(v10(agent.caller), 'GetTask', { id });
        const found = body.result as Task10 | undefined;
        return found?.status.state === 'TASK_STATE_COMPLETED' ? found : null;
      },
      { what: 'the end of the task', timeout: 30_000 },
    );
    expect(textOf(task)).toBe(numbers.join(''));
    expect(starts).toBe(1);
  });
});

/** Starts a turn and waits for its first piece. */
async function begin(text: string): Promise<Task10> {
  const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10(text) };
  const response = await post(v10(agent.caller), request);
  const events = await readEvents(response, (all) => JSON.stringify(all).includes('artifactUpdate'));
  return resultOf<{ task: Task10 }>(events[0]).task;
}

describe('an app that serves an agent', () => {
  it('connects with its client credentials', async () => {
    const app = await createApp(parley.url, agent.owner);
    const changed = await send(`${parley.url}/api/agents/${agent.slug}`, {
      method: 'PATCH',
      body: { appId: app.id },
      bearer: agent.owner.accessToken,
    });
    expect(changed.status).toBe(200);
    const { clientId, clientSecret } = app;
    await serving(async () => 'by an app', { token: undefined, clientId, clientSecret });
    expect(textOf(await send10('Hi'))).toBe('by an app');
  });

  it('stops if the agent belongs to another app', async () => {
    const stranger = await listHubAgent(parley);
    const connection = await connect({
      url: parley.url,
      agent: agent.slug,
      token: stranger.token,
      handle: async () => 'no',
    });
    await expect(connection.closed).rejects.toMatchObject({ code: 'not_your_agent' });
  });
});

/** A run of `parley serve`. */
class Command {
  output = '';
  code: number | null = null;

  constructor(readonly child: ChildProcess) {
    children.push(child);
    for (const out of [child.stdout, child.stderr]) {
      out?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    child.once('exit', (code) => {
      this.code = code;
    });
  }

  async shows(text: string | RegExp): Promise<void> {
    await waitFor(() => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output)), {
      what: `${text}`,
    }).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${this.output}`);
    });
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    await waitFor(() => this.code !== null, { what: 'the end of the command' });
    return this.code;
  }
}

function command(args: string[], person: Pick<Person, 'accessToken'> | null, cwd = folder): Command {
  const env = {
    NODE_ENV: 'production' as const,
    PATH: process.env.PATH,
    HOME: folder,
    PARLEY_CONFIG_DIR: path.join(folder, 'config'),
    PARLEY_API_URL: parley.url,
    SSH_CONNECTION: 'a far machine',
    ...(person && { PARLEY_TOKEN: person.accessToken }),
  };
  return new Command(spawn(process.execPath, [CLI, 'serve', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

describe('parley serve', () => {
  const worker = (): { accessToken: string } => ({ accessToken: agent.token });

  it('serves a TypeScript file, reloads it when it changes, and shows a line for each turn', async () => {
    const file = path.join(folder, 'agent.ts');
    const write = (greeting: string): void =>
      writeFileSync(
        file,
        `import type { Turn } from '@parley/agent/serve';
         import { greeting } from './greeting';
         export async function* handle(turn: Turn) { yield greeting + turn.text; }
         // ${greeting}`,
      );
    // Renamed, so that the file is never seen empty.
    const writeGreeting = (text: string): void => {
      writeFileSync(path.join(folder, 'greeting.new'), text);
      renameSync(path.join(folder, 'greeting.new'), path.join(folder, 'greeting.ts'));
    };
    writeGreeting(`export const greeting: string = 'Hello, ';`);
    write('one');
    const run = command(['./agent.ts', '--agent', agent.slug], worker());
    await run.shows('Connected.');
    expect(textOf(await send10('Ada'))).toBe('Hello, Ada');
    await run.shows(/task \S+ completed in \d\.\d s/);
    writeGreeting(`export const greeting: string = 'Ciao, ';`);
    await run.shows('Loaded ./agent.ts again.');
    expect(textOf(await send10('Ada'))).toBe('Ciao, Ada');
    writeGreeting('export const greeting = ;');
    await run.shows('was not reloaded');
    expect(textOf(await send10('Ada'))).toBe('Ciao, Ada');
    expect(await run.end('SIGTERM')).toBe(0);
  });

  it('finishes running turns before it stops', async () => {
    writeFileSync(
      path.join(folder, 'slow.mjs'),
      `export default async function* (turn) {
         yield 'first ';
         await new Promise((resolve) => setTimeout(resolve, 1500));
         yield 'last';
       }`,
    );
    const run = command(['slow.mjs', '--agent', agent.slug], worker());
    await run.shows('Connected.');
    const task = await begin('Hi');
    const ended = run.end('SIGTERM');
    await run.shows('Finishing running turns.');
    expect(await ended).toBe(0);
    const { body } = await rpc(v10(agent.caller), 'GetTask', { id: task.id });
    expect(textOf(body.result as Task10)).toBe('first last');
  });

  it('reports what is wrong with an invalid file or name', async () => {
    writeFileSync(path.join(folder, 'broken.ts'), 'export const handle = ;');
    const broken = command(['broken.ts', '--agent', agent.slug], worker());
    await broken.shows(/broken\.ts:1:23: Unexpected ";"/);
    await waitFor(() => broken.code !== null, { what: 'the end' });
    expect(broken.code).toBe(1);
    const misnamed = command(['slow.mjs', '--agent', 'not-mine'], worker());
    await misnamed.shows('Agent "not-mine" not found');
    await waitFor(() => misnamed.code !== null, { what: 'the end' });
  });

  it('signs in with a code, lists the agent, and serves it', async () => {
    writeFileSync(
      path.join(folder, 'new.mjs'),
      `export const card = { name: 'Brand new', description: 'Just listed.', version: '1.0.0',
         skills: [{ id: 'a', name: 'A', description: 'Does a.', tags: ['a'] }] };
       export const handle = async () => 'at once';`,
    );
    const slug = `new-${agent.slug}`;
    const run = command(['new.mjs', '--agent', slug, '--create'], null);
    await run.shows(/enter this code: \S+/);
    const userCode = /enter this code: (\S+)/.exec(run.output)?.[1];
    const decided = await send(`${parley.url}/api/auth/device/decide`, {
      body: { userCode, allow: true },
      cookie: agent.owner.cookie,
      origin: parley.url,
    });
    expect(decided.status).toBe(204);
    await run.shows('Connected.');
    const connection = await connectTo(parley.url, agent.owner, slug);
    expect(textOf(await send10('Hi', {}, connection))).toBe('at once');
    const listing = await send(`${parley.url}/api/agents/${slug}`, {});
    expect(await listing.json()).toMatchObject({ name: 'Brand new' });
    expect(await run.end('SIGINT')).toBe(0);
    // The sign-in is kept, with its scopes.
    const again = command(['new.mjs', '--agent', slug], null);
    await again.shows('Connected.');
    expect(again.output).not.toContain('code');
    await again.end('SIGTERM');
  });

  it.each([
    ['1.0', startSdk10Agent],
    ['0.3', startSdk03Agent],
  ])('forwards turns to a local A2A %s server', async (_version, startLocal) => {
    const local = await startLocal();
    const run = command([local.url, '--agent', agent.slug], worker());
    await run.shows('Connected.');
    const task = await send10('good morning');
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_COMPLETED', 'good morning']);
    const asked = await send10('ask');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = await send10('blue', { taskId: asked.id, contextId: asked.contextId });
    expect([answered.id, answered.status.state]).toEqual([asked.id, 'TASK_STATE_COMPLETED']);
    await run.end('SIGTERM');
    await local.stop();
  });

  it.each(['1.0 JSONRPC', '0.3 JSONRPC'] as const)(
    'cancels at a local A2A %s server once the server assigns the task id',
    async (wire) => {
      const late = await LateAgent.start({ wire, streaming: true });
      const run = command([late.agent.url, '--agent', agent.slug], worker());
      await run.shows('Connected.');
      const params = { ...message10('go'), configuration: { returnImmediately: true } };
      const { body } = await rpc(agent.caller, 'SendMessage', params);
      await waitFor(() => late.sends.length > 0, { what: 'the message to reach the server' });
      const { id } = (body.result as { task: Task10 }).task;
      const canceled = await rpc(agent.caller, 'CancelTask', { id });
      expect(canceled.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
      late.name();
      await waitFor(() => late.cancels.length > 0, { what: 'the cancel to reach the server' });
      expect(late.cancels.map((call) => call.params.id)).toEqual([late.taskId]);
      await run.end('SIGTERM');
      await late.agent.stop();
    },
  );
});

describe('the first docs page about serving', () => {
  async function counts(run: Command, own: HubAgent): Promise<void> {
    const ask = (text: string, extra: object = {}): Promise<Task10> => send10(text, extra, own.caller);
    const answered = await waitFor(() => ask('to be or not to be'), { what: 'the agent to be online' }).catch(
      (error) => {
        throw new Error(`${error.message}; it shows:\n${run.output}`);
      },
    );
    expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOf(answered)).toContain('Your text has 6 words.');
    const asked = await ask('to');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const named = await ask('be quick', { taskId: asked.id, contextId: asked.contextId });
    expect([named.id, named.status.state]).toEqual([asked.id, 'TASK_STATE_COMPLETED']);
    expect(await run.end('SIGTERM')).toBe(0);
  }

  it('contains a TypeScript agent that runs unchanged', async () => {
    cpSync('examples/docs/connected-agent.ts', path.join(folder, 'connected.ts'));
    const run = command(['./connected.ts', '--agent', agent.slug], { accessToken: agent.token });
    await run.shows('Connected.');
    await counts(run, agent);
  });

  it.skipIf(!hasWebsockets)('contains a Python agent that runs unchanged', async () => {
    const own = await listHubAgent(parley);
    const module = await fetch(`${parley.url}/packages/parley_serve.py`);
    writeFileSync(path.join(folder, 'parley_serve.py'), await module.text());
    cpSync('examples/docs/connected_agent.py', path.join(folder, 'agent.py'));
    const env = { PARLEY_URL: parley.url, PARLEY_AGENT: own.slug, PARLEY_TOKEN: own.token };
    const variables = { NODE_ENV: 'production' as const, PATH: process.env.PATH, ...env };
    const options = { cwd: folder, env: variables, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
    await counts(new Command(spawn('python3', ['agent.py'], options)), own);
  });
});

/** Starts an example as a developer would. */
async function startExample(name: string, env: Record<string, string>): Promise<Command> {
  const built = path.join(folder, 'example.mjs');
  await build({
    entryPoints: ['examples/sdk/serve.ts'],
    outfile: built,
    bundle: true,
    packages: 'external',
    // As installed from the package.
    external: ['@parley/agent'],
    format: 'esm',
    platform: 'node',
  });
  const [program, file] = name === 'python' ? ['python3', 'examples/python/serve.py'] : [process.execPath, built];
  const variables = { NODE_ENV: 'production' as const, PATH: process.env.PATH, PARLEY_URL: parley.url, ...env };
  return new Command(spawn(program, [file], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] }));
}

describe.each(['sdk', 'python'])('the %s serving example', (name) => {
  it.skipIf(name === 'python' && !hasWebsockets)('connects as an app, answers, asks a question and exits', async () => {
    const own = await listHubAgent(parley);
    const app = await createApp(parley.url, own.owner);
    const change = { method: 'PATCH', body: { appId: app.id }, bearer: own.owner.accessToken };
    expect((await send(`${parley.url}/api/agents/${own.slug}`, change)).status).toBe(200);
    const run = await startExample(name, {
      PARLEY_AGENT: own.slug,
      PARLEY_CLIENT_ID: app.clientId,
      PARLEY_CLIENT_SECRET: app.clientSecret,
    });
    const ask = (text: string, extra: object = {}): Promise<Task10> => send10(text, extra, own.caller);
    const answered = await waitFor(() => ask('Ada'), { what: 'the example to be online' });
    expect([answered.status.state, textOf(answered)]).toEqual(['TASK_STATE_COMPLETED', 'Hello, Ada']);
    const asked = await ask('ask');
    expect(asked.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'What is your name?' }] },
    });
    const named = await ask('Bob', { taskId: asked.id, contextId: asked.contextId });
    expect([named.id, textOf(named)]).toEqual([asked.id, 'Hello, Bob']);
    expect(await run.end('SIGTERM')).toBe(0);
  });
});
