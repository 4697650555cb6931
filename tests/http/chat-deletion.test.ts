import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseDeletedConversations } from '@/lib/chat';
import { newUuid } from '@/lib/platform/ids';
import { DAY_MS, HOUR_MS } from '@/lib/platform/time';
import { compactFinishedTasks } from '@/lib/tasks';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { tablesWith } from '../support/traces';
import { waitFor } from '../support/wait-for';
import { ChatClient } from './chat-fixture';

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: ChatClient;
let agentSlug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Keeper' });
  parley = await sharedParley();
  ada = new ChatClient(parley.url, await createPerson(parley.url, 'Ada'));
  agentSlug = await listAgent(parley.url, ada.person, { url: agent.url });
});
afterAll(() => agent?.stop());

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const pathOf = (id: string): string => `/api/chat/conversations/${id}`;

/** The agent repeats the received text. */
function repeats(): void {
  agent.answer(({ received, result, end }) => {
    const text = JSON.stringify(received.params);
    result(agent03.status('up-1', 'working'));
    result(agent03.artifact('up-1', text));
    result(agent03.status('up-1', 'completed', text));
    end();
  });
}

async function talk(text: string, extra: object = {}): Promise<{ conversationId: string; taskId: string }> {
  const said = await ada.say({ agentSlug, text, ...extra });
  await waitFor(
    async () => {
      const last = (await ada.thread(said.conversationId)).tasks.at(-1)?.events.at(-1)?.event;
      return last?.type === 'status' && ['completed', 'failed'].includes(last.status.state);
    },
    { what: 'the answer' },
  );
  return said;
}

/** A conversation whose every kind of content contains `word`. */
async function talkEverywhere(word: string): Promise<{ id: string; taskId: string; shareUrl: string }> {
  repeats();
  const { conversationId: id, taskId } = await talk(`Tell me about ${word}`);
  const { conversation, tasks } = await ada.thread(id);
  const [first] = tasks;
  await talk(`And ${word} again`, { conversationId: id, edits: first?.id });
  const feedback = { conversationId: id, verdict: 'bad', category: 'wrong', note: `Not ${word}` };
  const answers = first?.events.filter(({ event }) => event.type === 'artifact') ?? [];
  const given = await ada.call(`/api/chat/tasks/${taskId}/feedback/${answers[0]?.seq}`, {
    method: 'PUT',
    body: feedback,
  });
  expect(given.status).toBe(200);
  expect(conversation.title).toContain(word);
  const preview = (await (await ada.call(`${pathOf(id)}/shares/preview`)).json()) as { tasks: unknown };
  const share = await ada.call(`${pathOf(id)}/shares`, { body: { tasks: preview.tasks } });
  const { url } = (await share.json()) as { url: string };
  await query(
    'test-dead-letter',
    `INSERT INTO push_dead_letter (id, principal, agent_id, task_id, config_id, seq, url, reason, attempts, at, answer)
     SELECT $2, principal, agent_id, id, 'a', 1, 'https://a.example', 'refused', 1, now(), $3 FROM task WHERE id = $1`,
    [taskId, newUuid(), `Receiver said ${word}`],
  );
  await query(
    'test-failed-call',
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code, message, exchange, task_id)
     SELECT $2, agent_id, now(), 5, 'message/send', '0.3', 'req', 'upstream_error', $3, json_build_object('body', $3::text), id::text
     FROM task WHERE id = $1`,
    [taskId, newUuid(), `Failed with ${word}`],
  );
  await ada.call(`/api/chat/search?${new URLSearchParams({ q: word })}`);
  return { id, taskId, shareUrl: url };
}

test('a deleted conversation can be restored completely until its content is erased', async () => {
  const { id, shareUrl } = await talkEverywhere('marmalade');
  expect((await ada.call(pathOf(id), { method: 'DELETE' })).status).toBe(204);
  expect((await ada.call(pathOf(id))).status).toBe(404);
  expect((await fetch(shareUrl)).status).toBe(404);
  expect(await ada.titles()).not.toContain('Tell me about marmalade');
  expect(await ada.titles('?deleted=true')).toEqual(['Tell me about marmalade']);
  await eraseDeletedConversations(inDays(6.9));
  const restored = await ada.call(pathOf(id), { method: 'PATCH', body: { deleted: false } });
  expect(await restored.json()).toMatchObject({ title: 'Tell me about marmalade', erasedAt: null });
  await eraseDeletedConversations(inDays(30));
  expect((await ada.thread(id)).tasks).not.toHaveLength(0);
  expect((await fetch(shareUrl)).status).toBe(200);
  expect(await ada.titles('?deleted=true')).toEqual([]);
});

test('the list of deleted conversations shows when each one is erased', async () => {
  repeats();
  const { conversationId } = await talk('Short life');
  await ada.call(pathOf(conversationId), { method: 'DELETE' });
  const { items } = (await (await ada.call('/api/chat/conversations?deleted=true')).json()) as {
    items: { id: string; erasedAt: string }[];
  };
  const erasedAt = Date.parse(items.find(({ id }) => id === conversationId)?.erasedAt ?? '');
  expect(Math.abs(erasedAt - inDays(7).getTime())).toBeLessThan(HOUR_MS);
});

test('no table contains a deleted conversation’s data after the grace period', async () => {
  const kept = await talkEverywhere('persimmon');
  const gone = await talkEverywhere('quicksilver');
  await compactFinishedTasks(new Date(Date.now() + 2 * HOUR_MS));
  expect(await tablesWith('quicksilver')).toEqual(
    expect.arrayContaining(['agent_call', 'answer_feedback', 'compacted_task', 'conversation', 'conversation_text']),
  );
  expect(await tablesWith('quicksilver')).toEqual(expect.arrayContaining(['push_dead_letter', 'task_http_exchange']));
  await ada.call(pathOf(gone.id), { method: 'DELETE' });
  await eraseDeletedConversations(inDays(7.1));
  expect(await tablesWith('quicksilver')).toEqual([]);
  expect(await tablesWith(gone.taskId)).toEqual(['agent_call']);
  expect((await ada.call(pathOf(gone.id), { method: 'PATCH', body: { deleted: false } })).status).toBe(404);
  expect((await ada.thread(kept.id)).tasks).not.toHaveLength(0);
  expect(await tablesWith('persimmon')).toContain('answer_feedback');
});

test('several nodes erase each conversation once, and a payment in progress delays it', async () => {
  repeats();
  const paying = await talk('Buy the lamp');
  const others = [await talk('Plain one'), await talk('Plain two'), await talk('Plain three')];
  await query(
    'test-order',
    `INSERT INTO payment_order (id, user_id, agent_id, task_id, context_id, source_kind, source_id, source_part, cart_text, cart_hash, state, created_at, updated_at)
     SELECT 'ord_lamp', principal, agent_id, id, context_id::uuid, 'message', 'm', 0, '{"lamp": 1}', 'h', 'authorized', now(), now()
     FROM task WHERE id = $1`,
    [paying.taskId],
  );
  for (const { conversationId } of [paying, ...others]) await ada.call(pathOf(conversationId), { method: 'DELETE' });
  await Promise.all([1, 2, 3].map(() => eraseDeletedConversations(inDays(8))));
  expect(await ada.titles('?deleted=true')).toEqual(['Buy the lamp']);
  await query('test-paid', "UPDATE payment_order SET state = 'captured' WHERE id = 'ord_lamp'");
  await eraseDeletedConversations(inDays(8));
  expect(await ada.titles('?deleted=true')).toEqual([]);
  expect(await tablesWith('Buy the lamp')).toEqual([]);
  expect(await tablesWith('ord_lamp')).toEqual(['payment_order']);
});

test('another user’s conversation can be neither deleted nor restored', async () => {
  const bob = new ChatClient(parley.url, await createPerson(parley.url, 'Bob'));
  const { conversationId } = await talk('Mine');
  expect((await bob.call(pathOf(conversationId), { method: 'DELETE' })).status).toBe(404);
  await ada.call(pathOf(conversationId), { method: 'DELETE' });
  expect((await bob.call(pathOf(conversationId), { method: 'PATCH', body: { deleted: false } })).status).toBe(404);
  expect(await ada.titles('?deleted=true')).toEqual(['Mine']);
});
