import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { callSkill, createClient, type ParleyError } from '@parley/agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { McpHttpServer } from '../fakes/mcp-http-server';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const run = promisify(execFile);
const TSC = path.resolve('node_modules/typescript/bin/tsc');

let parley: SharedParley;
let ada: Person;
let server: McpHttpServer;
let cli: CommandLine;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url);
  server = await McpHttpServer.start();
  const properties = { city: { type: 'string', description: 'Name of the city' }, days: { type: 'integer' } };
  server.tools = [{ name: 'go', inputSchema: { type: 'object', properties, required: ['city'] } }];
  slug = await listAgent(parley.url, ada, { url: server.url });
  cli = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: ada.accessToken });
});
afterAll(async () => {
  cli?.remove();
  await server?.stop();
});

/** Checks a program that uses the written client, and returns the errors of the compiler. */
async function errorsOf(program: string): Promise<string> {
  writeFileSync(path.join(cli.folder, 'main.ts'), program);
  const { stdout } = await run(process.execPath, [TSC, '--project', cli.folder]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

test('parley types writes a client from the card, whose inputs the compiler checks', async () => {
  const file = path.join(cli.folder, 'agent.ts');
  const { code, stderr } = await cli.run(['types', slug, '-o', file]);
  expect([code, stderr]).toEqual([0, `Written to ${file}.\n`]);
  const paths = { '@parley/agent': [path.resolve('packages/sdk/dist/index.d.ts')] };
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2023', types: [], paths };
  writeFileSync(path.join(cli.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  writeFileSync(path.join(cli.folder, 'package.json'), '{"type":"module"}');
  const [, create = ''] = /export function (\w+)/.exec(readFileSync(file, 'utf8')) ?? [];
  const call = (input: string): string =>
    `import { createClient } from '@parley/agent';\nimport { ${create} } from './agent.js';\n` +
    `await ${create}(createClient({ url: 'https://parley.example', accessToken: 'x' })).go(${input});\nexport {};\n`;
  expect(await errorsOf(call(`{ city: 'Oslo', days: 2 }`))).toBe('');
  expect(await errorsOf(call(`{ days: 2 }`))).toContain(`Property '"city"' is missing`);
  expect(await errorsOf(call(`{ city: 'Oslo', days: 'two' }`))).toContain('not assignable');
});

test('the written client calls the skill, and returns its output', async () => {
  const client = createClient({ url: parley.url, accessToken: ada.accessToken });
  const { output, result } = await callSkill(client, { agent: slug, skill: 'go', input: { city: 'Oslo' } });
  expect(output).toBeDefined();
  expect(result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  expect(server.received.findLast(({ method }) => method === 'tools/call')?.params).toMatchObject({
    name: 'go',
    arguments: { city: 'Oslo' },
  });
});

test('a skill that needs more input fails with the question', async () => {
  const client = createClient({ url: parley.url, accessToken: ada.accessToken });
  const failed = callSkill(client, { agent: slug, skill: 'go', input: {} });
  await expect(failed).rejects.toMatchObject({
    code: 'skill_failed',
    message: expect.stringContaining('The skill "go" is input-required'),
  } satisfies Partial<Record<keyof ParleyError, unknown>>);
});

test('parley types of an unknown agent says so', async () => {
  const { code, stderr } = await cli.run(['types', 'no-such-agent']);
  expect(code).toBe(4);
  expect(stderr).toContain('Agent not found');
});
