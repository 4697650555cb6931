import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentExample } from '@/lib/chat/schema-shares';
import { isAlive } from '@/scripts/processes.mjs';
import { connectTo, createPerson, message10, type Person, rpc, send, withHeaders } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

const connecting = ['calendar', 'converter', 'illustrator', 'quiz', 'regex-helper', 'researcher'];
const programs = ['converter', 'researcher', 'starters'];
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

/** The processes of the agents that connect, as the demo stores them: four agents share one. */
function processes(): string[] {
  const { served } = JSON.parse(readFileSync(path.join(parley.dataDir, 'demo.json'), 'utf8'));
  return programs.map((name) => served[name].mark);
}

async function ask(slug: string, text: string, person?: Person): Promise<string> {
  const caller = await connectTo(parley.url, person ?? (await createPerson(parley.url)), slug);
  const { body } = await rpc(withHeaders(caller, { 'a2a-version': '1.0' }), 'SendMessage', message10(text));
  return JSON.stringify(body.result);
}

async function untilOnline(): Promise<void> {
  await waitFor(async () => (await online()).join() === connecting.join(), { what: 'the agents', timeout: 15_000 });
}

test('the demo has agents without a public URL, which are online and answer', async () => {
  await untilOnline();
  expect(await ask('converter', '12 miles to km')).toContain('12 mi = 19.3121 km');
  expect(await ask('converter', '12 miles')).toContain('TASK_STATE_INPUT_REQUIRED');
  expect(await ask('researcher', 'Hello')).toContain('I have figures about the planets');
  expect(await ask('illustrator', 'Draw me a house')).toContain('I drew a house.');
  expect(processes().map(isAlive)).toEqual([true, true, true]);
});

async function hiring(hire: 'yes' | 'never'): Promise<Person> {
  const person = await createPerson(parley.url);
  const change = { method: 'PUT', body: { scopes: [], hire }, cookie: person.cookie, origin: parley.url };
  const changed = await send(`${parley.url}/api/grants/researcher`, change);
  expect(changed.status).toBe(204);
  return person;
}

test('the researcher calls the analyst if its caller allows it', { timeout: 60_000 }, async () => {
  await untilOnline();
  const answer = await ask('researcher', 'Which of the planets is the largest?', await hiring('yes'));
  expect(answer).toContain('TASK_STATE_COMPLETED');
  expect(answer).toContain('**Diameter**: from 4,879 km (Mercury) to 142,984 km (Jupiter), on average 50,087 km.');
  expect(answer).toContain('What stands out, according to CSV Analyst:');
  const refused = await ask('researcher', 'Which of the planets is the largest?', await hiring('never'));
  expect(refused).toContain('TASK_STATE_FAILED');
  expect(refused).toContain('I could not hire CSV Analyst: you do not let me hire agents.');
});

test('the demo marks its fictional reviews and tasks as demo data and adds them once', {
  timeout: 90_000,
}, async () => {
  const read = async (path: string) =>
    (await (await fetch(`${parley.url}/api/agents/pizzeria/${path}`)).json()) as never;
  const { items }: { items: { author: string; isDemo?: boolean }[] } = await read('reviews');
  expect(items.map(({ isDemo }) => isDemo)).toEqual([true, true, true]);
  const standing = async (): Promise<{ hasDemoData?: boolean; use: { users: number; calls: number } }> =>
    read('standing');
  await waitFor(async () => (await standing()).hasDemoData, { what: 'the ranking', timeout: 30_000 });
  expect((await standing()).use).toMatchObject({ users: 3, calls: 27 });
  await parley.restart();
  expect(await read('reviews')).toMatchObject({ summary: { count: 3 } });
});

/** The example conversations of all agents of the demo. */
async function readExamples(): Promise<AgentExample['example'][]> {
  const read = async (slug: string): Promise<AgentExample> =>
    (await (await fetch(`${parley.url}/api/agents/${slug}/example`)).json()) as AgentExample;
  const all = await Promise.all([...connecting, 'analyst', 'pizzeria'].map(read));
  return all.map(({ example }) => example);
}

function shownExamples(): string[] {
  return JSON.parse(readFileSync(path.join(parley.dataDir, 'demo.json'), 'utf8')).examples;
}

test('each demo agent shows an example conversation with its owner, published once', {
  timeout: 180_000,
}, async () => {
  await waitFor(() => shownExamples().length === 8, { what: 'the examples', timeout: 120_000 });
  const examples = await readExamples();
  for (const example of examples) {
    const roles = example?.turns.map(({ role }) => role) ?? [];
    expect(roles[0]).toBe('user');
    expect(roles.at(-1)).toBe('agent');
  }
  const texts = JSON.stringify(examples);
  expect(texts).toContain('12 mi = 19.3121 km');
  expect(texts).toContain('**Right!**');
  expect(texts).toMatch(/Booked: \*\*Tuesday/);
  // Without the list of published examples, the existing ones are kept.
  await parley.kill('SIGTERM');
  const file = path.join(parley.dataDir, 'demo.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), examples: ['quiz'] }));
  await parley.restart();
  await waitFor(() => shownExamples().length === 8, { what: 'the examples', timeout: 30_000 });
  expect(await readExamples()).toEqual(examples);
  expect(parley.output()).not.toContain('demo.example');
});

test('the demo agents end with the server, and start again with it', { timeout: 90_000 }, async () => {
  await untilOnline();
  const before = processes();
  await parley.restart();
  expect(before.map(isAlive)).toEqual([false, false, false]);
  await untilOnline();
});

test('the next server replaces the demo agents after the previous one is killed with SIGKILL', {
  timeout: 90_000,
}, async () => {
  await untilOnline();
  const before = processes();
  await parley.kill('SIGKILL');
  await parley.restart();
  expect(before.map(isAlive)).toEqual([false, false, false]);
  await untilOnline();
  expect(await ask('converter', '1 km in m')).toContain('1,000 m');
});
