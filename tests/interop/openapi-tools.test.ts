import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '@/lib/docs/schema';
import { sharedParley } from '../support/shared-parley';

const run = promisify(execFile);
const TSC = path.resolve('node_modules/typescript/bin/tsc');

let folder: string;
let source: string;

beforeAll(async () => {
  const parley = await sharedParley();
  source = await (await fetch(`${parley.url}/openapi.json`)).text();
  folder = mkdtempSync(path.join(tmpdir(), 'parley-openapi-'));
  writeFileSync(path.join(folder, 'openapi.json'), source);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles generated files, and returns the compiler's errors. */
async function compile(files: string[]): Promise<string> {
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'esnext', target: 'es2023' };
  const lib = ['es2023', 'dom', 'dom.iterable'];
  const config = { compilerOptions: { ...compilerOptions, moduleResolution: 'bundler', lib, types: [] }, files };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await run(process.execPath, [TSC, '--project', folder]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

test('redocly lint finds no error', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
});

test('spectral lint finds no error', async () => {
  const linter = new spectral.Spectral();
  // Its type lacks a member that is optional.
  const oas: object = rulesets.oas;
  linter.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await linter.run(JSON.parse(source));
  expect(problems.filter(({ severity }) => severity === 0).map(({ message }) => message)).toEqual([]);
});

test('openapi-typescript generates types that compile', async () => {
  const types = astToString(await openapiTypescript(JSON.parse(source)));
  writeFileSync(path.join(folder, 'types.ts'), types);
  expect(types).toContain('"/api/agents/{slug}"');
  expect(await compile(['types.ts'])).toBe('');
});

test('hey-api generates a client that compiles', async () => {
  await createClient({
    input: path.join(folder, 'openapi.json'),
    output: path.join(folder, 'client'),
    logs: { level: 'silent' },
  });
  expect(await compile(['client/index.ts', 'client/client.gen.ts'])).toBe('');
});

test('formats are named schemas: no operation contains the pattern of a date or of a UUID', () => {
  const { paths, components } = JSON.parse(source) as OpenApi;
  expect(JSON.stringify(paths)).not.toMatch(/"format":"(date-time|date|uuid)"/);
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['Timestamp', 'CalendarDate', 'Uuid']));
});
