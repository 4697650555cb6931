import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for';
import { McpServing, partsOf, questionOf, reasonOf, textOf } from './serve-mcp-fixture';

/** An MCP server in a process that breaks the protocol, floods, or describes its tools with hostile schemas. */
let serving: McpServing;

const loop = { $ref: '#/$defs/a' };
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
let deep: object = { type: 'string' };
for (let level = 0; level < 200; level += 1) deep = { type: 'object', properties: { inner: deep } };

const hostile = [
  { name: 'loop', inputSchema: schema({ a: loop }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }) },
  { name: 'self', inputSchema: { ...schema({ a: { $ref: '#' } }), required: ['a'] } },
  { name: 'pattern', inputSchema: schema({ a: { type: 'string', pattern: '^(a+)+$' } }, { required: ['a'] }) },
  { name: 'many', inputSchema: schema(many, { required: ['p1'] }) },
  { name: 'deep', inputSchema: schema({ deep }, { required: ['deep'] }) },
  {
    name: 'proto',
    inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"type":"string"}}}'),
  },
  { name: 'no-object', inputSchema: 'everything' },
  { name: 'read file', description: 'one', inputSchema: schema({}) },
  { name: 'read\u200bfile', description: 'two', inputSchema: schema({}) },
  { name: 'read-file', description: 'three', inputSchema: schema({}) },
  { name: 'read-file', description: 'again', inputSchema: schema({}) },
  { name: 'x'.repeat(500), inputSchema: schema({}) },
  { name: 7, inputSchema: schema({}) },
  null,
  { name: '\u202egnp.exe', title: '\u202eevil\u0007', description: 'A\u0000\u001b[31m\nB', inputSchema: schema({}) },
];

beforeAll(async () => {
  serving = await McpServing.start({ fake: { tools: hostile } });
});
afterAll(() => serving?.stop());

describe('LIM-5, LIM-6, LIM-7: a schema', () => {
  test.each(['loop', 'self', 'pattern'])('%s becomes a question that the caller can read', async (tool) => {
    const asked = await serving.ask([{ text: tool }]);
    expect([asked.status.state, questionOf(asked)?.kind]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'form']);
  });

  test.each(['many', 'deep'])('%s exceeds the limits, and is asked for in words', async (tool) => {
    const asked = await serving.call(tool, {});
    expect([asked.status.state, questionOf(asked)]).toEqual(['TASK_STATE_COMPLETED', undefined]);
  });

  test('with `__proto__` changes no object, and the tool can be called', async () => {
    const asked = await serving.ask([{ text: 'proto' }]);
    expect(JSON.stringify(questionOf(asked))).not.toContain('__proto__');
    expect(({} as Record<string, unknown>).type).toBeUndefined();
    expect(textOf(await serving.call('proto', { a: 'x' }))).toBe('proto {"a":"x"}');
  });
});

describe('XSS-3: the names of tools', () => {
  test('have one id each, without invisible characters, and reach their own tool', async () => {
    await waitFor(async () => (await serving.skills()).length > 20, { what: 'the tools in the card' });
    const ids = (await serving.skills()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.startsWith('read'))).toEqual(['read-file-2', 'read-file-3', 'read-file']);
    expect(JSON.stringify(await serving.skills())).not.toMatch(/[\u202e\u200b]|\\u0007|\\u001b/);
    expect(textOf(await serving.call('read-file'))).toBe('read-file {}');
    expect(textOf(await serving.call('read-file-3'))).toBe('read\u200bfile {}');
  });

  test('may be a thousand: the card has the first 200, and all can be called', async () => {
    const tools = Array.from({ length: 1_200 }, (_, at) => ({ name: `tool-${at}`, inputSchema: schema({}) }));
    const large = await McpServing.start({ fake: { tools, only: tools.map(({ name }) => name) } });
    await waitFor(async () => (await large.skills()).length === 200, { what: 'the tools in the card' });
    expect(textOf(await large.call('tool-999'))).toBe('tool-999 {}');
    const asked = await large.ask([{ text: 'Which ones are there?' }]);
    expect(questionOf(asked)).toMatchObject({ message: expect.stringContaining('the first 200 of 1000') });
    await large.stop();
  });
});

describe('LIM-1: a result of 64 MB', () => {
  test('fails its call, and the server answers the next one', async () => {
    const failed = await serving.call('huge');
    expect(reasonOf(failed)).toBe('The MCP server sent a message of more than 8 MiB.');
    expect(textOf(await serving.call('echo', { text: 'still here' }))).toBe('You said: still here');
  });
});

describe('SSE-2: messages that belong to no request', () => {
  test('text on stdout is ignored and reported once', async () => {
    expect(textOf(await serving.call('garbage'))).toBe('after garbage');
    expect(textOf(await serving.call('garbage'))).toBe('after garbage');
    expect(serving.lines.filter((line) => line.includes('not a message'))).toHaveLength(1);
  });

  test('a second response and the response to another id are ignored', async () => {
    expect(partsOf(await serving.call('twice'))).toEqual([{ text: 'first' }]);
    expect(partsOf(await serving.call('wrong-id'))).toEqual([{ text: 'mine' }]);
  });

  test('a change of the tools during a call does not affect it', async () => {
    expect(textOf(await serving.call('change'))).toBe('changed');
  });
});

describe('WS-2: a question', () => {
  test('that may belong to several callers reaches none of them', async () => {
    const [first, second] = await Promise.all([serving.call('ask'), serving.call('ask')]);
    const texts = [first, second].map((task) => textOf(task) || task.status.state).sort();
    expect(texts.filter((text) => text === 'TASK_STATE_INPUT_REQUIRED').length).toBeLessThan(2);
    expect(texts).toContain('cancel');
  });
});

describe('a server', () => {
  test('that ends at its start is an error that contains its last output', async () => {
    const starting = McpServing.start({ fake: { crashOnStart: true } });
    await expect(starting).rejects.toThrow(/did not start\. .*No configuration found/);
  });

  test.each([
    ['node -e ""', /exit code 0/],
    ['/no/such/program --flag', /could not be executed/],
    ['"unfinished', /quote without an end/],
    [' ', /Expected a command/],
  ])('cannot be started with the command %s', async (command, reason) => {
    await expect(McpServing.start({ command })).rejects.toThrow(reason);
  });
});
