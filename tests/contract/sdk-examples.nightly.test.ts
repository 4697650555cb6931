import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type SendResult } from '@parley/agent';
import { build } from 'esbuild';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/processes.mjs';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { createApp } from './tokens-fixture';

const programs = ['express', 'fastify', 'hono', 'fetch', 'call', 'delegate'];
const agents = ['express', 'fastify', 'hono', 'fetch', 'python'] as const;
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('examples/python was not run: there is no python3 on this machine');

let parley: Parley;
let developer: Person;
let caller: Person;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-examples-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await build({
    entryPoints: programs.map((name) => `examples/sdk/${name}.ts`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    // As installed from the package.
    external: ['@parley/agent'],
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://localhost:*,http://127.0.0.1:*' } });
  developer = await createPerson(parley.url, 'Dora');
  caller = await createPerson(parley.url, 'Carl');
});

afterAll(async () => {
  for (const child of running) child.kill();
  await parley?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example until it listens. */
async function start(name: string, variables: Record<string, string>): Promise<void> {
  const [command, ...args] =
    name === 'python' ? ['python3', 'examples/python/agent.py'] : [process.execPath, path.join(folder, `${name}.mjs`)];
  const child = spawn(command ?? '', args, {
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('listening') && resolve());
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
}

function textOf(result: SendResult): string | undefined {
  return 'message' in result ? result.message.parts[0]?.text : undefined;
}

describe.each(agents)('the example agent in %s', (name) => {
  const runnable = name !== 'python' || hasPython;

  it.skipIf(!runnable)('is listed, greets callers through Parley, and rejects other callers', async () => {
    const slug = `greeter-in-${name}`;
    const port = await freePort();
    const app = await createApp(parley.url, developer, name);
    await start(name, {
      PORT: String(port),
      PARLEY_URL: parley.url,
      PARLEY_AGENT: slug,
      PARLEY_CLIENT_ID: app.clientId,
      PARLEY_CLIENT_SECRET: app.clientSecret,
    });
    const origin = `http://localhost:${port}`;
    expect(await listAgent(parley.url, developer, { url: origin, slug, appId: app.id })).toBe(slug);

    const client = createClient({ url: parley.url, accessToken: caller.accessToken });
    const { sub } = decodeJwt(await tokenFor(parley.url, caller, slug));
    expect(textOf(await client.send(slug, 'Hi'))).toBe(`Hello, ${sub}`);

    const call = (headers: Record<string, string>) =>
      fetch(`${origin}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    const metadata = `resource_metadata="${parley.url}/.well-known/oauth-protected-resource/agents/${slug}"`;
    const unauthorized = await call({});
    expect([unauthorized.status, unauthorized.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="parley", ${metadata}`,
    ]);
    const thief = await call({ authorization: 'Bearer stolen' });
    expect(thief.status).toBe(401);
    expect(thief.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect((await call({ authorization: `Bearer ${caller.accessToken}` })).status).toBe(401);
  });
});

it('TOK-4 the delegation example calls another agent for its caller, unless the caller forbids it', async () => {
  const other = await ScriptedAgent.start({ name: 'Other' });
  const otherSlug = await listAgent(parley.url, developer, { url: other.url });
  other.answer(({ received, result, end }) => {
    const { act, token_use: use } = decodeJwt(String(received.headers.authorization).replace('Bearer ', ''));
    result(agent03.status('t', 'completed', `${JSON.stringify({ act, use })}`));
    end();
  });
  const slug = 'assistant';
  const port = await freePort();
  const app = await createApp(parley.url, developer, slug);
  await start('delegate', {
    PORT: String(port),
    PARLEY_URL: parley.url,
    PARLEY_AGENT: slug,
    PARLEY_CLIENT_ID: app.clientId,
    PARLEY_CLIENT_SECRET: app.clientSecret,
    OTHER_AGENT: otherSlug,
  });
  await listAgent(parley.url, developer, { url: `http://localhost:${port}`, slug, appId: app.id });
  const client = createClient({ url: parley.url, accessToken: caller.accessToken });
  const setHiring = async (hire: string) => {
    const call = { method: 'PUT', body: { scopes: [], hire }, cookie: caller.cookie, origin: parley.url };
    expect((await send(`${parley.url}/api/grants/${slug}`, call)).status).toBe(204);
  };
  await setHiring('never');
  expect(textOf(await client.send(slug, 'Hi'))).toMatch(/^I could not ask on your behalf: .*does not allow this agent/);
  expect(other.received).toEqual([]);
  await setHiring('yes');
  const response = await client.send(slug, 'Hi');
  const replyText = 'task' in response ? response.task.status.message?.parts[0]?.text : undefined;
  expect(JSON.parse(replyText ?? '')).toEqual({ act: { sub: `${parley.url}/agents/${slug}` }, use: 'upstream' });
  await other.stop();
});

it('the caller example prints an agent’s stream', async () => {
  const agent = await ScriptedAgent.start({ name: 'Streams' });
  const slug = await listAgent(parley.url, developer, { url: agent.url });
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'working'));
    for (const [at, text] of ['one ', 'two'].entries()) result(agent03.artifact('t', text, { append: at > 0 }));
    result(agent03.status('t', 'completed'));
    end();
  });
  const child = spawn(process.execPath, [path.join(folder, 'call.mjs')], {
    env: { NODE_ENV: 'production', PARLEY_URL: parley.url, PARLEY_TOKEN: caller.accessToken, AGENT: slug },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) printed += chunk;
  expect(printed).toBe('one two');
  await agent.stop();
});
