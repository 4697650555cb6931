import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** A copy of what packing needs, so that other tests can use their builds. */
let clone: string;
/** A developer's empty folder, with both packages installed. */
let home: string;
const packed: Record<string, Packed> = {};

beforeAll(() => {
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
  const others = ['@parley/agent', 'parley'].flatMap((name) => neededBy(path.resolve('node_modules', name)));
  const places = new Map(
    others.map((directory) => [JSON.parse(readFileSync(`${directory}/package.json`, 'utf8')).name, directory]),
  );
  npm(home, ['install', '--offline', '--install-links', '--ignore-scripts', ...tarballs, ...places.values()]);
}, 120_000);

afterAll(() => {
  for (const folder of [clone, home]) rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, args: string[]): string {
  const program = process.env.npm_execpath ?? '';
  const [command, ...first] = /npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync(command ?? '', [...first, ...args, ...quiet], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Directories of all transitive dependencies of the package in this folder, except for ourselves, at its version. */
function neededBy(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const near = Object.keys(dependencies)
    .filter((needed) => needed !== '@parley/agent')
    .map((needed) => {
      const own = path.join(folder, 'node_modules', needed);
      return existsSync(own) ? own : path.resolve('node_modules', needed);
    });
  return [...near, ...near.flatMap(neededBy)];
}

function node(
  args: string[],
  env: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const variables = { NODE_ENV: 'production' as const, PATH: process.env.PATH, HOME: home, ...env };
  return spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8', env: variables });
}

describe('a published package', () => {
  it('of the SDK is its program, its types and a page, and small', () => {
    const names = packed.sdk?.files.map((file) => file.path) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(names).toEqual(expect.arrayContaining(['dist/ap2.js', 'dist/ap2.d.ts']));
    const known = /^(LICENSE|README\.md|package\.json|dist\/(ap2\/)?[\w-]+(\.d\.ts|\.js))$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    expect(packed.sdk?.size).toBeLessThan(44_000);
  });

  it('of the CLI is its program and a page, and small', () => {
    const names = packed.cli?.files.map((file) => file.path).sort();
    expect(names).toEqual(['LICENSE', 'README.md', 'bin/parley.mjs', 'dist/main.mjs', 'package.json']);
    expect(packed.cli?.size).toBeLessThan(44_000);
  });

  it('needs at most two packages for the SDK, all by exact version, and runs nothing on install', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(path.join(home, 'node_modules', name, 'package.json'), 'utf8'));
    const [sdk, cli] = [read('@parley/agent'), read('parley')];
    expect(Object.keys(sdk.dependencies).length).toBeLessThanOrEqual(2);
    for (const { dependencies, scripts } of [sdk, cli]) {
      for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(Object.keys(scripts)).toEqual(['prepack']);
    }
  });

  it('imports no module of Node in the SDK', () => {
    const text = readFileSync(path.join(home, 'node_modules/@parley/agent/dist/index.js'), 'utf8');
    expect(text).not.toMatch(/from "node:|require\(|process\./);
  });
});

describe('installed in an empty folder', () => {
  let parley: SharedParley;
  beforeAll(async () => {
    parley = await sharedParley();
  });

  it('the CLI starts, searches and shows who is signed in', async () => {
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

  it('the SDK protects a handler', () => {
    const text = `
      import { protect } from '@parley/agent';
      const guard = protect({ url: '${parley.url}', agent: 'a', clientId: 'c', clientSecret: 's' });
      const handle = guard.fetch(() => new Response('in'));
      const request = new Request('http://agent/', { headers: { authorization: 'Bearer stolen' } });
      console.log((await handle(request)).status);`;
    writeFileSync(path.join(home, 'agent.mjs'), text);
    expect(node(['agent.mjs'])).toMatchObject({ status: 0, stdout: '401\n' });
  });

  it.each(['node16', 'bundler'])('its types are found with moduleResolution %s', { timeout: 60_000 }, (resolution) => {
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
