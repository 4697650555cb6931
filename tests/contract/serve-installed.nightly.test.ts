import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { firstAgentCommand, firstAgentFile } from '@/components/market/listing/curl-lines';
import { message10, rpc, withHeaders } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent, serveToken } from './hub-fixture';

// The command that the console shows, in an empty folder, without a registry: nothing but the package is there.
const noRegistry = ['--registry=http://127.0.0.1:9/', '--fetch-retries=0'];

let parley: SharedParley;
let agent: HubAgent;
let folder: string;
let child: ChildProcess | null = null;
let output = '';

beforeAll(async () => {
  parley = await sharedParley();
  agent = await listHubAgent(parley);
  folder = mkdtempSync(path.join(tmpdir(), 'parley-empty-'));
});
afterEach(() => {
  if (child?.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  child = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(file: string): ChildProcess {
  return start(['--api-url', parley.url, 'serve', file, '--agent', agent.slug]);
}

/** Runs the package of the Parley with these arguments. */
function start(words: string[], token = agent.token): ChildProcess {
  const program = process.env.npm_execpath ?? '';
  const [command = '', ...first] = /npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm'];
  const args = ['exec', '--yes', ...noRegistry, `--cache=${folder}/cache`, '--', `${parley.url}/packages/parley.tgz`];
  const env = { NODE_ENV: 'production' as const, PATH: process.env.PATH, HOME: folder, PARLEY_TOKEN: token };
  output = '';
  child = spawn(command, [...first, ...args, ...words], { cwd: folder, env, stdio: 'pipe', detached: true });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return child;
}

async function shows(text: string): Promise<void> {
  await waitFor(() => output.includes(text), { what: text, timeout: 20_000 }).catch((error: Error) => {
    throw new Error(`${error.message}; it shows:\n${output}`);
  });
}

async function answerTo(text: string): Promise<string> {
  const { body } = await rpc(withHeaders(agent.caller, { 'a2a-version': '1.0' }), 'SendMessage', message10(text));
  const { task } = body.result as { task: { artifacts: { parts: { text: string }[] }[] } };
  return task.artifacts.flatMap(({ parts }) => parts.map((part) => part.text)).join('');
}

describe('the command shown in the console, in an empty folder,', { timeout: 60_000 }, () => {
  it.each([
    ['agent.mjs', 'export async function* handle(turn) { yield "NAME, " + turn.text; }'],
    ['agent.js', 'export default async (turn) => "NAME, " + turn.text;'],
    ['agent.cjs', 'exports.handle = async (turn) => "NAME, " + turn.text;'],
  ])('serves %s, and reloads it when it changes', async (name, source) => {
    const file = path.join(folder, name);
    writeFileSync(file, source.replace('NAME', 'Hello'));
    run(`./${name}`);
    await shows('Connected.');
    expect(await answerTo('Ada')).toBe('Hello, Ada');
    writeFileSync(file, source.replace('NAME', 'Good morning'));
    await shows(`Loaded ./${name} again.`);
    expect(await answerTo('Ada')).toBe('Good morning, Ada');
    writeFileSync(file, '\nexport const = ;');
    await shows(`./${name} was not reloaded`);
    expect(await answerTo('Ada')).toBe('Good morning, Ada');
  });

  it('serves TypeScript if this Node supports it, or names the package to install', async () => {
    writeFileSync(path.join(folder, 'agent.ts'), 'export const handle = async (turn: { text: string }) => turn.text;');
    run('./agent.ts');
    if ((process.features as { typescript?: unknown }).typescript) {
      await shows('Connected.');
      expect(await answerTo('Ada')).toBe('Ada');
    } else {
      await shows('./agent.ts is TypeScript, which requires the package esbuild, or Node 22.18 or newer');
      await shows('npm install --save-dev esbuild');
    }
  });

  it('serves the agent that the home page shows, with its command', async () => {
    writeFileSync(path.join(folder, firstAgentFile.name), firstAgentFile.code);
    const [program, ...words] = firstAgentCommand(parley.url, agent.slug).split(' ');
    expect([program, words.shift()]).toEqual(['npx', `${parley.url}/packages/parley.tgz`]);
    start(words, await serveToken(parley.url, agent.owner, ['agents:serve', 'agents:write']));
    await shows('Connected.');
    expect(await answerTo('Hello')).toBe('You said: Hello');
  });

  it('explains the first step if there is no file yet', async () => {
    run('./missing.ts');
    await shows('File ./missing.ts not found.');
    await shows('export async function* handle(turn)');
  });
});
