import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseDeletedConversations } from '@/lib/chat';
import { DAY_MS, HOUR_MS } from '@/lib/platform/time';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { tablesWith } from '../support/traces';
import { waitFor } from '../support/wait-for';
import { ChatClient } from './chat-fixture';

const RETENTION_DAYS = 'chat=30,deleted=7';

let parley: Parley;
let agent: ScriptedAgent;
let ada: ChatClient;
let agentSlug: string;

beforeAll(async () => {
  // The job runs in this process, with a time of its own.
  process.env.RETENTION_DAYS = RETENTION_DAYS;
  agent = await ScriptedAgent.start({ name: 'Keeper' });
  parley = await startParley({ env: { RETENTION_DAYS, AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = new ChatClient(parley.url, await createPerson(parley.url, 'Ada'));
  agentSlug = await listAgent(parley.url, ada.person, { url: agent.url });
  agent.answer(({ received, result, end }) => {
    result(agent03.artifact('up-1', JSON.stringify(received.params)));
    result(agent03.status('up-1', 'completed', 'done'));
    end();
  });
}, 120_000);
afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** A conversation with an attachment, a shared link and texts for search. */
async function talkAbout(word: string): Promise<{ id: string; taskId: string; shareUrl: string }> {
  const bytes = Buffer.from(`all about ${word}`).toString('base64');
  const files = [{ name: `${word}.txt`, mediaType: 'text/plain', bytes }];
  const { conversationId: id, taskId } = await ada.say({ agentSlug, text: `Tell me about ${word}`, files });
  await waitFor(
    async () => {
      const last = (await ada.thread(id)).tasks.at(-1)?.events.at(-1)?.event;
      return last?.type === 'status' && last.status.state === 'completed';
    },
    { what: 'the answer' },
  );
  const preview = (await (await ada.call(`/api/chat/conversations/${id}/shares/preview`)).json()) as { tasks: unknown };
  const share = await ada.call(`/api/chat/conversations/${id}/shares`, { body: { tasks: preview.tasks } });
  const { url } = (await share.json()) as { url: string };
  expect(await isFound(word)).toBe(true);
  return { id, taskId, shareUrl: url };
}

/** Indexes conversations, then returns true when the search finds a text of a conversation. */
async function isFound(word: string): Promise<boolean> {
  const response = await ada.call(`/api/chat/search?${new URLSearchParams({ q: word })}`);
  return ((await response.json()) as { hits: unknown[] }).hits.length > 0;
}

test('the status API states how long conversations are kept', async () => {
  const status = await (await fetch(`${parley.url}/api/status`)).json();
  expect(status.retentionDays).toMatchObject({ chat: 30, deleted: 7 });
});

test('a conversation is deleted 30 days after its last message and erased 7 days later, unless it is active', async () => {
  const idle = await talkAbout('quicksilver');
  const active = await talkAbout('persimmon');
  await query('test-message-later', `UPDATE conversation SET updated_at = now() + interval '20 days' WHERE id = $1`, [
    active.id,
  ]);
  await eraseDeletedConversations(inDays(29.9));
  expect((await ada.titles()).sort()).toEqual(['Tell me about persimmon', 'Tell me about quicksilver']);
  expect((await fetch(idle.shareUrl)).status).toBe(200);

  await eraseDeletedConversations(inDays(30.1));
  expect(await ada.titles()).toEqual(['Tell me about persimmon']);
  expect((await fetch(idle.shareUrl)).status).toBe(404);
  expect(await isFound('quicksilver')).toBe(false);
  const { items } = (await (await ada.call('/api/chat/conversations?deleted=true')).json()) as {
    items: { title: string; erasedAt: string }[];
  };
  expect(items.map(({ title }) => title)).toEqual(['Tell me about quicksilver']);
  expect(Math.abs(Date.parse(items[0]?.erasedAt ?? '') - inDays(37.1).getTime())).toBeLessThan(HOUR_MS);

  await eraseDeletedConversations(inDays(37));
  expect(await tablesWith('quicksilver')).toEqual(expect.arrayContaining(['conversation', 'conversation_text']));
  expect(await tablesWith(Buffer.from('all about quicksilver').toString('base64'))).not.toEqual([]);
  await eraseDeletedConversations(inDays(37.2));
  expect(await tablesWith('quicksilver')).toEqual([]);
  expect(await tablesWith(Buffer.from('all about quicksilver').toString('base64'))).toEqual([]);
  expect((await tablesWith(idle.taskId)).filter((table) => table !== 'agent_call')).toEqual([]);
  expect(await tablesWith(idle.id)).toEqual([]);
  expect(await ada.titles('?deleted=true')).toEqual([]);

  expect((await ada.thread(active.id)).tasks).toHaveLength(1);
  expect((await fetch(active.shareUrl)).status).toBe(200);
  expect(await isFound('persimmon')).toBe(true);
});
