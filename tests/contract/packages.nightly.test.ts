import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

let parley: SharedParley;
/** A copy of the files for packing, so that other tests can use their builds. */
let clone: string;
/** A developer's empty folder, with both packages installed. */
let home: string;
const packed: Record<string, Packed> = {};

beforeAll(async () => {
  parley = await sharedParley();
  clone = mkdtempSync(path.join(tmpdir(), 'parley-pack-'));
  home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
  for (const directory of ['packages', 'scripts', 'tsconfig.json', 'package.json']) {
    cpSync(directory, path.join(clone, directory), { recursive: true });
  }
  symlinkSync(path.resolve('node_modules'), path.join(clone, 'node_modules'));
  for (const name of ['sdk', 'cli']) {
    const output = npm(path.join(clone, 'packages', name), ['pack', '--json', '--pack-destination', home]);
    // The build's output precedes the report.
    const [report] = JSON.parse(output.slice(output.indexOf('[\n'))) as Packed[];
    if (report) packed[name] = report;
  }
  writeFileSync(path.join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarballs = Object.values(packed).map(({ filename }) => `./${filename}`);
  // Their dependencies come from ours, so that the test needs no registry.
  npm(home, ['install', '--offline', '--install-links', '--ignore-scripts', ...tarballs, ...dependenciesOfSdk()]);
}, 120_000);

afterAll(() => {
  for (const folder of [clone, home]) rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, args: string[]): string {
  const program = process.env.npm_execpath ?? '';
  const [command, ...first] = /npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync(command ?? '', [...first, ...quiet, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Directories of the SDK's dependencies, which have none themselves. The CLI has none. */
function dependenciesOfSdk(): string[] {
  const { dependencies } = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8'));
  return Object.keys(dependencies).map((name) => path.resolve('node_modules', name));
}

function node(
  args: string[],
  env: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const variables = { NODE_ENV: 'production' as const, PATH: process.env.PATH, HOME: home, ...env };
  return spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8', env: variables });
}

describe('a published package', () => {
  it('for the SDK is small, and contains its program, its types and a page', () => {
    const names = packed.sdk?.files.map((file) => file.path) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(names).toEqual(
      expect.arrayContaining(
        ['ap2', 'mcp', 'serve', 'test'].flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
      ),
    );
    const known =
      /^(LICENSE|README\.md|package\.json|dist\/((ap2|mcp|openai|serve|test(\/(agent|checks|mock|probe))?)\/)?[\w-]+(\.d\.ts|\.js))$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect(packed.sdk?.size).toBeLessThan(123_000);
  });

  it('for the CLI is small, and contains its program, a page and its contents’ licenses', () => {
    const names = packed.cli?.files.map((file) => file.path).sort();
    const dist = ['dist/licenses.txt', 'dist/main.mjs'];
    expect(names).toEqual(['LICENSE', 'README.md', 'bin/parley.mjs', ...dist, 'package.json']);
    expect(packed.cli?.size).toBeLessThan(178_000);
  });

  it('pins at most two packages for the SDK and only esbuild for the CLI, and runs no install script', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(path.join(home, 'node_modules', name, 'package.json'), 'utf8'));
    const [sdk, cli] = [read('@parley/agent'), read('@parley/cli')];
    expect(Object.keys(sdk.dependencies).length).toBeLessThanOrEqual(2);
    for (const version of Object.values(sdk.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(cli).not.toHaveProperty('dependencies');
    expect(Object.keys(cli.optionalDependencies)).toEqual(['esbuild']);
    for (const { scripts } of [sdk, cli]) expect(Object.keys(scripts)).toEqual(['prepack']);
  });

  it('for the SDK imports no Node module', () => {
    const text = readFileSync(path.join(home, 'node_modules/@parley/agent/dist/index.js'), 'utf8');
    expect(text).not.toMatch(/from "node:|require\(|process\./);
  });
});

describe('a package in an empty folder', () => {
  it('runs the CLI, which searches and shows the signed-in user', async () => {
    const agent = await ScriptedAgent.start({ name: 'Installed' });
    const person = await createPerson(parley.url);
    const slug = await listAgent(parley.url, person, { url: agent.url });
    await agent.stop();
    const program = path.join('node_modules', '.bin', 'parley');
    expect(statSync(path.join(home, program)).mode & 0o111).not.toBe(0);
    expect(node([program, '--version']).stdout).toBe('0.1.0\n');
    const env = { PARLEY_API_URL: parley.url, PARLEY_TOKEN: person.accessToken };
    expect(node([program, 'search', 'installed'], env).stdout).toContain(slug);
    expect(node([program, 'auth', 'whoami'], env).stdout).toContain(person.email);
  });

  it('protects a handler with the SDK', () => {
    const text = `
      import { protect } from '@parley/agent';
      const guard = protect({ url: '${parley.url}', agent: 'a', clientId: 'c', clientSecret: 's' });
      const handle = guard.fetch(() => new Response('in'));
      const request = new Request('http://agent/', { headers: { authorization: 'Bearer stolen' } });
      console.log((await handle(request)).status);`;
    writeFileSync(path.join(home, 'agent.mjs'), text);
    expect(node(['agent.mjs'])).toMatchObject({ status: 0, stdout: '401\n' });
  });

  it.each(['node16', 'bundler'])('has types that load with moduleResolution %s', { timeout: 60_000 }, (resolution) => {
    const text = `
      import { protect } from '@parley/agent';
      const guard = protect({ url: 'https://parley.example', agent: 'a', clientId: 'c', clientSecret: 's' });
      export const right = guard.fetch((_request, caller) => new Response(caller.subject));
      export const wrong = guard.fetch((_request, caller) => new Response(caller.subjekt));`;
    writeFileSync(path.join(home, 'types.mts'), text);
    const module = resolution === 'node16' ? 'node16' : 'esnext';
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const { stdout } = node([tsc, ...options, '--module', module, '--moduleResolution', resolution, 'types.mts']);
    expect(stdout.match(/error TS\d+: .*/g)).toEqual([
      expect.stringContaining("Property 'subjekt' does not exist on type 'Caller'"),
    ]);
  });
});

describe('a package that Parley serves', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-served-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const served = ['agent', 'parley'];

  it.each(['sdk', 'agent', 'parley-9.9.9', '..%2fserver'])('cannot be read under the unknown name %s', async (name) => {
    const response = await fetch(`${parley.url}/packages/${name}${name === 'agent' ? '' : '.tgz'}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is listed in the response for an unknown name', async () => {
    const problem = (await (await fetch(`${parley.url}/packages/cli.tgz`)).json()) as { title: string };
    for (const name of served) expect(problem.title).toContain(`${parley.url}/packages/${name}.tgz`);
  });

  it('includes the Python module for agents as text', async () => {
    const response = await fetch(`${parley.url}/packages/parley_serve.py`);
    expect(response.headers.get('content-type')).toBe('text/x-python; charset=utf-8');
    expect(await response.text()).toBe(readFileSync('examples/python/serve.py', 'utf8'));
    expect((await fetch(`${parley.url}/packages/other.py`)).status).toBe(404);
  });

  it.each(served)('can be read as %s.tgz but not written', async (name) => {
    const response = await fetch(`${parley.url}/packages/${name}.tgz`, { method: 'POST', body: '' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each(served)('is revalidated as %s.tgz, and immutable under its version', async (name) => {
    const url = `${parley.url}/packages/${name}.tgz`;
    const response = await fetch(url);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('cache-control')).toBe('public, max-age=300, must-revalidate');
    const bytes = await response.arrayBuffer();
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\da-f]{32}"$/);

    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    expect(Number(head.headers.get('content-length'))).toBe(bytes.byteLength);
    expect((await head.arrayBuffer()).byteLength).toBe(0);

    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    const versioned = await fetch(`${url}?v=${etag.slice(1, -1)}`);
    expect(versioned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const other = await fetch(`${url}?v=0`);
    expect(other.headers.get('cache-control')).toBe('public, max-age=300, must-revalidate');
  });

  it('can be installed by npm in an empty folder without a registry, and the command runs', { timeout: 60_000 }, () => {
    const urls = served.map((name) => `${parley.url}/packages/${name}.tgz`);
    const noRegistry = ['--registry=http://127.0.0.1:9/', '--fetch-retries=0', `--cache=${folder}/cache`];
    npm(folder, ['install', '--install-links', '--ignore-scripts', ...noRegistry, ...urls, ...dependenciesOfSdk()]);
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
    const program = path.join(folder, 'node_modules/.bin/parley');
    expect(node([program, '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    const text = "import { protect } from '@parley/agent'; console.log(typeof protect);";
    writeFileSync(path.join(folder, 'agent.mjs'), text);
    expect(node([path.join(folder, 'agent.mjs')])).toMatchObject({ status: 0, stdout: 'function\n' });
  });

  it('can be run by npx as shown in the docs, without a registry', { timeout: 60_000 }, () => {
    const empty = mkdtempSync(path.join(folder, 'empty-'));
    const options = ['--yes', '--registry=http://127.0.0.1:9/', '--fetch-retries=0', `--cache=${folder}/npx-cache`];
    const output = npm(empty, ['exec', ...options, '--', `${parley.url}/packages/parley.tgz`, '--version']);
    expect(output).toBe('0.1.0\n');
  });
});
