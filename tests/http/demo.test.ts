import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '@/scripts/processes.mjs';
import { connectTo, createPerson, message10, rpc, withHeaders } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

const connecting = ['converter', 'researcher'];
let parley: Parley;

beforeAll(async () => {
  parley = await startParley({ env: { DEMO: '1' } });
});
afterAll(() => parley?.stop());

async function online(): Promise<string[]> {
  const response = await fetch(`${parley.url}/api/agents?presence=online`);
  const { items } = (await response.json()) as { items: { slug: string }[] };
  return items.map(({ slug }) => slug).sort();
}

/** The processes of the agents that connect, as the demo stores them. */
function processes(): string[] {
  const { served } = JSON.parse(readFileSync(path.join(parley.dataDir, 'demo.json'), 'utf8'));
  return connecting.map((slug) => served[slug].mark);
}

async function ask(slug: string, text: string): Promise<string> {
  const caller = await connectTo(parley.url, await createPerson(parley.url), slug);
  const { body } = await rpc(withHeaders(caller, { 'a2a-version': '1.0' }), 'SendMessage', message10(text));
  return JSON.stringify(body.result);
}

async function untilOnline(): Promise<void> {
  await waitFor(async () => (await online()).join() === connecting.join(), { what: 'the agents', timeout: 15_000 });
}

test('its agents without an address are online and answer', async () => {
  await untilOnline();
  expect(await ask('converter', '12 miles to km')).toContain('12 mi = 19.3121 km');
  expect(await ask('converter', '12 miles')).toContain('TASK_STATE_INPUT_REQUIRED');
  expect(await ask('researcher', 'Hello')).toContain('I have figures about the planets');
  expect(processes().map(isAlive)).toEqual([true, true]);
});

test('they end with the server, and come back with it', async () => {
  await untilOnline();
  const before = processes();
  await parley.restart();
  expect(before.map(isAlive)).toEqual([false, false]);
  await untilOnline();
});

test('after kill -9 of the server the next one replaces them', async () => {
  await untilOnline();
  const before = processes();
  await parley.kill('SIGKILL');
  await parley.restart();
  expect(before.map(isAlive)).toEqual([false, false]);
  await untilOnline();
  expect(await ask('converter', '1 km in m')).toContain('1,000 m');
});
