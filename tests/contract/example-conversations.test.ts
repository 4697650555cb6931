import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentExample, ExampleDraft, ExampleTask } from '@/lib/chat/schema-shares';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message03, type Person, rpc, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const secret = `parley_pat_${'a1'.repeat(22)}`;
const hostile = '<img src=x onerror=alert(1)> [go](javascript:alert(1)) **bold**';

describe('an example conversation', () => {
  let parley: SharedParley;
  let agent: ScriptedAgent;
  let other: ScriptedAgent;
  let owner: Person;
  let stranger: Person;
  let slug: string;
  let otherSlug: string;
  let state: 'completed' | 'failed' = 'completed';

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Exhibitor' });
    other = await ScriptedAgent.start({ name: 'Bystander' });
    for (const one of [agent, other]) {
      one.answer(({ result, end }) => {
        const id = newUuid();
        const text = `Noted: reply to ada@example.org or +39 041 123 4567. ${hostile} ${secret}`;
        result(agent03.status(id, 'working'));
        result(agent03.artifact(id, text));
        result(agent03.status(id, state));
        end();
      });
    }
    parley = await sharedParley();
    owner = await createPerson(parley.url, 'Ada');
    stranger = await createPerson(parley.url, 'Bob');
    slug = await listAgent(parley.url, owner, { url: agent.url });
    otherSlug = await listAgent(parley.url, owner, { url: other.url });
  });

  afterAll(async () => {
    await agent?.stop();
    await other?.stop();
  });

  const at = (of = slug): string => `${parley.url}/api/agents/${of}/example`;

  function call(method: string, path: string, { as, body }: { as?: Person; body?: object } = {}): Promise<Response> {
    return send(path, { method, ...(body && { body }), ...(as && { cookie: as.cookie, origin: parley.url }) });
  }

  /** A finished task of this person; returns its id. */
  async function talk(person: Person, text: string, of = slug): Promise<string> {
    const { body } = await rpc(await connectTo(parley.url, person, of), 'message/send', message03(text));
    return (body.result as { id: string }).id;
  }

  async function draftOf(taskId: string): Promise<ExampleDraft> {
    const response = await call('GET', `${at()}/tasks/${taskId}`, { as: owner });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as ExampleDraft;
  }

  async function shown(): Promise<AgentExample> {
    return (await (await fetch(at())).json()) as AgentExample;
  }

  test('is drafted from the user’s own task with private data masked, edited, published, replaced and removed', async () => {
    const taskId = await talk(owner, `A large one. My password is hunter2, card 4242 4242 4242 4242.`);
    const listed = (await (await call('GET', `${at()}/tasks`, { as: owner })).json()) as { items: ExampleTask[] };
    expect(listed.items[0]).toMatchObject({ id: taskId });
    expect(listed.items[0]?.text).not.toContain('hunter2');

    const draft = await draftOf(taskId);
    expect(draft.turns.map(({ role }) => role)).toEqual(['user', 'agent']);
    for (const leaked of ['hunter2', '4242', 'ada@example.org', '041 123', secret]) {
      expect(JSON.stringify(draft)).not.toContain(leaked);
    }

    // Text that an edit restores is masked again.
    const turns = [
      { at: 0, text: 'A large one, please.' },
      { at: 1, text: `Done. Call +39 041 123 4567 or use ${secret}. ${hostile}` },
    ];
    const put = await call('PUT', at(), { as: owner, body: { taskId, turns } });
    expect(put.status, await put.clone().text()).toBe(200);
    const { example, mayChoose } = await shown();
    expect(mayChoose).toBe(false);
    expect(example?.turns).toEqual([
      { role: 'user', text: 'A large one, please.' },
      { role: 'agent', text: `Done. Call [phone] or use [secret]. ${hostile}` },
    ]);

    const page = await (await fetch(`${parley.url}/agents/${slug}`)).text();
    expect(page).toContain('A large one, please.');
    expect(page).not.toContain('<img src=x');
    const twin = await (await fetch(`${parley.url}/agents/${slug}.md`)).text();
    expect(twin).toContain('## Example conversation');
    expect(twin).toContain('\\<img src=x');

    const again = await call('PUT', at(), { as: owner, body: { taskId, turns: [{ at: 1, text: 'Only this.' }] } });
    expect(again.status).toBe(200);
    expect((await shown()).example?.turns).toEqual([{ role: 'agent', text: 'Only this.' }]);
    expect((await call('DELETE', at(), { as: owner })).status).toBe(204);
    expect((await shown()).example).toBeNull();
    expect((await call('DELETE', at(), { as: owner })).status).toBe(404);
  });

  test('can be chosen only by developers, from their own completed tasks with this agent', async () => {
    const own = await talk(owner, 'Mine.');
    const theirs = await talk(stranger, 'Somebody else wrote this.');
    const elsewhere = await talk(owner, 'To another agent.', otherSlug);
    state = 'failed';
    const failed = await talk(owner, 'This one fails.');
    state = 'completed';
    const body = (taskId: string): object => ({ taskId, turns: [{ at: 0, text: 'Hello' }] });

    for (const [method, path] of [
      ['GET', `${at()}/tasks`],
      ['GET', `${at()}/tasks/${own}`],
      ['PUT', at()],
      ['DELETE', at()],
    ] as const) {
      const with_ = method === 'PUT' ? { body: body(own) } : {};
      expect((await call(method, path, with_)).status, `${method} signed out`).toBe(401);
      expect((await call(method, path, { as: stranger, ...with_ })).status, `${method} as a stranger`).toBe(404);
    }
    for (const taskId of [theirs, elsewhere, newUuid()]) {
      expect((await call('GET', `${at()}/tasks/${taskId}`, { as: owner })).status).toBe(404);
      expect((await call('PUT', at(), { as: owner, body: body(taskId) })).status).toBe(404);
    }
    expect((await call('PUT', at(), { as: owner, body: body(failed) })).status).toBe(409);
    expect((await shown()).example).toBeNull();
  });

  test('rejects messages that are missing from the task, reordered, empty or too long', async () => {
    const taskId = await talk(owner, 'Short.');
    for (const turns of [
      [],
      [{ at: 5, text: 'Invented' }],
      [
        { at: 1, text: 'b' },
        { at: 0, text: 'a' },
      ],
      [{ at: 0, text: ' \u200b ' }],
      [{ at: 0, text: 'x'.repeat(4_001) }],
      [{ at: 0, text: 'x', role: 'agent' }],
    ]) {
      expect(
        (await call('PUT', at(), { as: owner, body: { taskId, turns } })).status,
        JSON.stringify(turns).slice(0, 60),
      ).toBe(400);
    }
  });

  test('is withheld if moderators remove it, and cannot be replaced afterwards', async () => {
    const taskId = await talk(owner, 'To be reported.');
    const turns = [{ at: 0, text: 'To be reported.' }];
    await call('PUT', at(), { as: owner, body: { taskId, turns } });
    const id = (await shown()).example?.id ?? '';
    const report = { kind: 'example', id, reason: 'spam', details: '' };
    const reported = await call('POST', `${parley.url}/api/reports`, { as: stranger, body: report });
    expect(reported.status, await reported.clone().text()).toBe(201);
    await query('test-hide-example', 'UPDATE example_conversation SET hidden_at = now() WHERE id = $1', [id]);

    expect(await shown()).toMatchObject({ example: null, isRemoved: false });
    const forTeam = (await (await call('GET', at(), { as: owner })).json()) as AgentExample;
    expect(forTeam).toMatchObject({ example: null, mayChoose: true, isRemoved: true });
    await waitFor(async () => !(await (await fetch(`${parley.url}/agents/${slug}.md`)).text()).includes('reported'), {
      what: 'the Markdown version to omit the price',
    });
    expect((await call('PUT', at(), { as: owner, body: { taskId, turns } })).status).toBe(409);
    expect((await call('DELETE', at(), { as: owner })).status).toBe(404);
    expect((await call('POST', `${parley.url}/api/reports`, { as: stranger, body: report })).status).toBe(404);
  });
});
