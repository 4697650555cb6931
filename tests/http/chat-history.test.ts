import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchResult } from '@/lib/chat/schema';
import type { CreatedShare, SharePreview } from '@/lib/chat/schema-shares';
import type { HttpTraceView, ThreadView } from '@/lib/chat/schema-thread';
import { conversationExportSchema } from '@/lib/chat/sharing/export-conversation';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { ChatClient } from './chat-fixture';

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: ChatClient;
let bob: ChatClient;
let agentSlug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Chronicler' });
  parley = await sharedParley();
  ada = new ChatClient(parley.url, await createPerson(parley.url, 'Ada'));
  bob = new ChatClient(parley.url, await createPerson(parley.url, 'Bob'));
  agentSlug = await listAgent(parley.url, ada.person, { url: agent.url });
});

afterAll(() => agent?.stop());

beforeEach(() => {
  agent.received.length = 0;
  answers('Noted.');
});

/** Returns one artifact with this text for every send. */
function answers(text: string): void {
  agent.answer(({ result, end }) => {
    const id = newUuid();
    for (const event of [agent03.status(id, 'working'), agent03.artifact(id, text), agent03.status(id, 'completed')]) {
      result(event);
    }
    end();
  });
}

async function read(path: string, client = ada): Promise<Response> {
  return client.call(`/api/chat/${path}`);
}

async function thread(id: string, query = ''): Promise<ThreadView> {
  const response = await read(`conversations/${id}${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ThreadView;
}

/** Sends a message and waits for the agent's reply. */
async function say(message: object): Promise<{ conversationId: string; taskId: string; branch: string }> {
  const posted = (await ada.say(message)) as { conversationId: string; taskId: string; branch: string };
  await waitFor(
    async () => {
      const { tasks } = await thread(posted.conversationId, `?branch=${posted.branch}`);
      const last = tasks.find(({ id }) => id === posted.taskId)?.events.at(-1)?.event;
      return last?.type === 'status' && last.status.state === 'completed';
    },
    { what: 'the answer' },
  );
  return posted;
}

function textsOf({ tasks }: ThreadView): string[] {
  return tasks.flatMap(({ events }) =>
    events.flatMap(({ event }) =>
      event.type === 'message' ? event.message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])) : [],
    ),
  );
}

describe('an edited message', () => {
  test('starts a branch: both versions remain, and the agent receives a context without the other one', async () => {
    const first = await say({ agentSlug, text: 'One' });
    const second = await say({ conversationId: first.conversationId, text: 'Two' });
    const edited = await say({ conversationId: first.conversationId, text: 'Two, said better', edits: second.taskId });

    const branch = await thread(first.conversationId);
    expect(textsOf(branch)).toEqual(['One', 'Two, said better']);
    expect(branch.branch).toMatchObject({ id: edited.branch, beginsAt: edited.taskId });
    expect(branch.branch.forks).toEqual([{ taskId: edited.taskId, versions: [first.branch, edited.branch], at: 1 }]);
    const original = await thread(first.conversationId, `?branch=${first.branch}`);
    expect(textsOf(original)).toEqual(['One', 'Two']);
    expect(original.branch.forks).toEqual([{ taskId: second.taskId, versions: [first.branch, edited.branch], at: 0 }]);
    expect([branch.at, original.at]).toEqual([null, null]);
    const at = async (place: string, version: string): Promise<string | null> =>
      (await thread(first.conversationId, `?branch=${version}&at=${place}`)).at;
    expect(await at(second.taskId, first.branch)).toBe(second.taskId);
    expect(await at(edited.branch, first.branch)).toBe(second.taskId);
    expect(await at(edited.branch, edited.branch)).toBe(edited.taskId);
    expect(await at(second.taskId, edited.branch)).toBeNull();
    expect(await at(newUuid(), first.branch)).toBeNull();

    const contexts = agent.calls('message/stream').map(({ params }) => params.message?.contextId);
    // The first message of a context has no id: the agent may choose it.
    expect(contexts).toEqual([undefined, expect.any(String), undefined]);
  });

  test('becomes a sibling if it is edited again, and a message in a branch continues there', async () => {
    const first = await say({ agentSlug, text: 'Begin' });
    const { conversationId } = first;
    const second = await say({ conversationId, text: 'Second try', edits: first.taskId });
    const third = await say({ conversationId, text: 'Third try', edits: second.taskId });
    await say({ conversationId, branch: second.branch, text: 'On the second' });

    expect((await thread(conversationId, `?branch=${third.branch}`)).branch.forks).toEqual([
      { taskId: third.taskId, versions: [first.branch, second.branch, third.branch], at: 2 },
    ]);
    const latest = await thread(conversationId);
    expect(latest.branch.id).toBe(second.branch);
    expect(textsOf(latest)).toEqual(['Second try', 'On the second']);
  });

  test('is the same branch and the same send if it is posted again', async () => {
    const first = await say({ agentSlug, text: 'Once' });
    const edit = {
      conversationId: first.conversationId,
      messageId: newUuid(),
      text: 'Edited once',
      edits: first.taskId,
    };
    const posted = await Promise.all([ada.say(edit), ada.say(edit), ada.say(edit)]);
    posted.push(await ada.say(edit));
    expect(new Set(posted.map(({ taskId }) => taskId)).size).toBe(1);
    const [fork] = (await thread(first.conversationId)).branch.forks;
    expect(fork?.versions).toHaveLength(2);
    await waitFor(() => agent.calls('message/stream').length === 2, { what: 'both sends' });
  });

  test('is unknown to other users, and so are its branches', async () => {
    const first = await say({ agentSlug, text: 'Mine' });
    const other = await say({ agentSlug, text: 'Another conversation' });
    const wrong = await ada.post({ conversationId: first.conversationId, text: 'x', edits: other.taskId });
    expect(wrong.status).toBe(400);
    expect((await read(`conversations/${first.conversationId}?branch=${other.branch}`)).status).toBe(404);
    expect((await bob.post({ conversationId: first.conversationId, text: 'x', edits: first.taskId })).status).toBe(404);
  });
});

describe('a long conversation', () => {
  test('is read from its end or from any message, page by page', async () => {
    const first = await say({ agentSlug, text: 'Message 0' });
    const { conversationId } = first;
    const ids = [first.taskId];
    for (let n = 1; n < 34; n++) ids.push((await say({ conversationId, text: `Message ${n}` })).taskId);

    const latest = await thread(conversationId);
    expect(latest.tasks.map(({ id }) => id)).toEqual(ids.slice(4));
    expect(latest.hasOlder).toBe(true);
    const older = await thread(conversationId, `?before=${ids[4]}`);
    expect(older.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 4));
    expect(older.hasOlder).toBe(false);
    expect((await thread(conversationId, `?at=${ids[2]}`)).tasks.map(({ id }) => id)).toEqual(ids.slice(2));
  });
});

describe('the conversation search', () => {
  async function search(text: string, client = ada, query = ''): Promise<SearchResult> {
    const response = await read(`search?q=${encodeURIComponent(text)}${query}`, client);
    expect(response.status).toBe(200);
    return (await response.json()) as SearchResult;
  }

  test.each([
    ['a part of a word in an answer', 'The zeppelin has landed', 'eppel'],
    ['a word in another case and without accents', 'Crème brûlée à la carte', 'creme BRULEE'],
    ['Chinese', '我们明天去柏林旅行', '柏林'],
    ['Arabic', 'سنسافر إلى القاهرة غدا', 'القاهرة'],
    ['characters with a special meaning in LIKE', 'It costs 100%_sure', '100%_s'],
  ])('finds %s, and highlights it', async (_what, reply, words) => {
    answers(reply);
    const { conversationId, taskId } = await say({ agentSlug, text: 'Tell me something' });
    const { hits } = await search(words, ada, `&conversation=${conversationId}`);
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ taskId, role: 'agent', conversation: { id: conversationId } });
    const { before = '', match = '', after = '' } = hits[0]?.excerpt ?? {};
    expect(`${before}${match}${after}`).toBe(reply);
    expect(match).not.toBe('');
  });

  test('finds the user’s own messages that contain all the words, in any order and any branch', async () => {
    const first = await say({ agentSlug, text: 'A quokka lives on Rottnest' });
    const edited = await say({ conversationId: first.conversationId, text: 'A wombat digs', edits: first.taskId });
    expect((await search('rottnest quokka')).hits[0]).toMatchObject({ branch: first.branch, taskId: first.taskId });
    expect((await search('wombat')).hits[0]).toMatchObject({ branch: edited.branch, taskId: edited.taskId });
    expect((await search('quokka wombat')).hits).toEqual([]);
    expect((await search('quokka', bob)).hits).toEqual([]);
    expect((await search('   ')).hits).toEqual([]);
  });

  test('omits a deleted conversation', async () => {
    const { conversationId } = await say({ agentSlug, text: 'Xylophone lessons' });
    expect((await search('xylophone')).hits).toHaveLength(1);
    expect((await ada.call(`/api/chat/conversations/${conversationId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await search('xylophone')).hits).toEqual([]);
  });
});

describe('a shared link', () => {
  async function preview(id: string, query = ''): Promise<SharePreview> {
    return (await (await read(`conversations/${id}/shares/preview${query}`)).json()) as SharePreview;
  }

  async function share(id: string, tasks: SharePreview['tasks']): Promise<CreatedShare> {
    const response = await ada.call(`/api/chat/conversations/${id}/shares`, { body: { tasks } });
    expect(response.status).toBe(201);
    return (await response.json()) as CreatedShare;
  }

  /** As an anonymous visitor opens it. */
  function open({ url }: CreatedShare): Promise<Response> {
    return fetch(`${parley.url}${new URL(url).pathname}`, { redirect: 'manual' });
  }

  test('shows exactly the previewed content, redacted and without a name, and excludes crawlers', async () => {
    answers('Write to carla@example.test. Your key is parley_pat_abcdefghijklmnop1234. Card 4242 4242 4242 4242.');
    const first = await say({ agentSlug, text: 'My mail is ada@example.test' });
    const { conversationId } = first;
    await say({ conversationId, text: 'SECOND MESSAGE' });
    const shown = await preview(conversationId, `?until=${first.taskId}`);
    const link = await share(conversationId, shown.tasks);
    await say({ conversationId, text: 'THIRD MESSAGE' });

    const page = await open(link);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('My mail is');
    for (const secret of ['ada@', 'carla@', 'abcdefghijklmnop', '4242 4242', 'SECOND', 'THIRD', conversationId]) {
      expect(html).not.toContain(secret);
    }
    expect(JSON.stringify(shown)).not.toMatch(/ada@|abcdefghijklmnop|4242 4242/);
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(html).toMatch(/<meta name="robots" content="noindex, nofollow"/);
    expect(html).toMatch(/<meta name="referrer" content="no-referrer"/);
  });

  test('becomes invalid immediately if it is revoked or its conversation is deleted', async () => {
    const { conversationId } = await say({ agentSlug, text: 'To be shared' });
    const { tasks } = await preview(conversationId);
    const [one, two] = [await share(conversationId, tasks), await share(conversationId, tasks)];
    expect((await ada.call(`/api/chat/shares/${one.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await open(one)).status).toBe(404);
    expect((await open(two)).status).toBe(200);
    await ada.call(`/api/chat/conversations/${conversationId}`, { method: 'DELETE' });
    expect((await open(two)).status).toBe(404);
  });

  test('can be created, listed and revoked only by its user', async () => {
    const { conversationId } = await say({ agentSlug, text: 'Private' });
    const { tasks } = await preview(conversationId);
    const link = await share(conversationId, tasks);
    const path = `/api/chat/conversations/${conversationId}/shares`;
    expect((await bob.call(path)).status).toBe(404);
    expect((await bob.call(path, { body: { tasks } })).status).toBe(404);
    expect((await bob.call(`${path}/preview`)).status).toBe(404);
    expect((await bob.call(`/api/chat/shares/${link.id}`, { method: 'DELETE' })).status).toBe(404);
    const list = (await (await ada.call(path)).json()) as { items: object[] };
    expect(list.items).toEqual([{ id: link.id, createdAt: link.createdAt, tasks: 1 }]);
    const foreign = { tasks: [{ id: newUuid(), seq: 1 }] };
    expect((await ada.call(path, { body: foreign })).status).toBe(400);
  });

  test('cannot be replaced after moderators removed it', async () => {
    const { conversationId } = await say({ agentSlug, text: 'Unfit to be shared' });
    const { tasks } = await preview(conversationId);
    const link = await share(conversationId, tasks);
    await query('test-share-down', 'UPDATE conversation_share SET hidden_at = now() WHERE id = $1', [link.id]);
    const path = `/api/chat/conversations/${conversationId}/shares`;
    expect((await (await ada.call(path)).json()).items).toEqual([]);
    expect((await ada.call(`/api/chat/shares/${link.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await ada.call(path, { body: { tasks } })).status).toBe(409);
    expect((await open(link)).status).toBe(404);
  });
});

describe('a conversation export', () => {
  test('in JSON validates against the published schema, has every branch, and masks secrets', async () => {
    answers('Your token: parley_pat_abcdefghijklmnop1234');
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('in a file').toString('base64') };
    const first = await say({ agentSlug, text: 'Export me', files: [file] });
    const { conversationId } = first;
    await say({ conversationId, text: 'Export me instead', edits: first.taskId });
    const response = await read(`conversations/${conversationId}/export?format=json`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="export-me.json"');
    const whole = conversationExportSchema.parse(await response.json());
    expect(whole.branches.map(({ insteadOf }) => insteadOf)).toEqual([
      null,
      { branch: first.branch, task: first.taskId },
    ]);
    expect(whole.branches[0]?.tasks[0]?.messages[0]?.parts[1]).toMatchObject({ kind: 'bytes', bytes: file.bytes });
    expect(JSON.stringify(whole)).not.toContain('abcdefghijklmnop');
    const schema = (await (await fetch(whole.$schema)).json()) as { properties: object; $id: string };
    expect(schema.$id).toBe(whole.$schema);
    expect(Object.keys(schema.properties)).toEqual(Object.keys(whole));
  });

  test('in Markdown has both sides with files as data, and only its user can get it', async () => {
    answers('# A heading\n\nand text');
    const file = { name: 'b.txt', mediaType: 'text/plain', bytes: Buffer.from('in a file').toString('base64') };
    const { conversationId } = await say({ agentSlug, text: 'In Markdown', files: [file] });
    const text = await (await read(`conversations/${conversationId}/export?format=markdown`)).text();
    expect(text).toMatch(/^# In Markdown\n/);
    expect(text).toContain(`[b.txt](data:text/plain;base64,${file.bytes})`);
    expect(text).toContain('# A heading\n\nand text');
    expect((await read(`conversations/${conversationId}/export?format=markdown`, bob)).status).toBe(404);
    expect((await read(`conversations/${conversationId}/export?format=pdf`)).status).toBe(400);
  });
});

describe('a task’s HTTP exchange', () => {
  async function wire(conversationId: string, taskId: string, client = ada): Promise<Response> {
    return read(`tasks/${taskId}/wire?conversation=${conversationId}`, client);
  }

  test('contains every event with its time and size, but no secrets', async () => {
    answers('{"apiKey": "sk-verysecretvalue", "note": "hello"}');
    const { conversationId, taskId } = await say({ agentSlug, text: 'My password? Bearer abcdefgh12345678' });
    const view = await waitFor(
      async () => {
        const read = (await (await wire(conversationId, taskId)).json()) as HttpTraceView;
        return read.exchanges.length > 0 ? read : null;
      },
      { what: 'the exchange to be stored' },
    );
    expect(view.open).toBe(false);
    const [exchange] = view.exchanges;
    expect(exchange).toMatchObject({
      method: 'message/stream',
      request: { method: 'POST', headers: { authorization: '[secret]' } },
      answer: { status: 200, moreEvents: 0 },
      failure: null,
    });
    expect(exchange?.answer?.events).toHaveLength(3);
    for (const event of exchange?.answer?.events ?? []) {
      expect(event.bytes).toBeGreaterThan(50);
      expect(event.ms).toBeGreaterThanOrEqual(0);
    }
    expect(JSON.stringify(view)).not.toMatch(/verysecret|abcdefgh12345678|eyJ/);
    expect((await wire(conversationId, taskId, bob)).status).toBe(404);
    expect((await wire(conversationId, newUuid())).status).toBe(404);
  });

  test('contains the agent’s own code and message if the call failed', async () => {
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message: 'The disk is full' } }),
    );
    const { conversationId, taskId } = await ada.say({ agentSlug, text: 'Fail' });
    const view = await waitFor(
      async () => {
        const read = (await (await wire(conversationId, taskId)).json()) as HttpTraceView;
        return read.exchanges.length > 0 ? read : null;
      },
      { what: 'the exchange to be stored' },
    );
    expect(view.exchanges[0]?.failure?.message).toContain('The disk is full');
    expect(view.exchanges[0]?.requestId).toMatch(/^req_/);
    expect(view.exchanges[0]?.answer?.events[0]?.text).toContain('-32603');
  });
});

describe('feedback on a message', () => {
  test('is stored, changed and withdrawn, and the owner reads it without the user or the message', async () => {
    const { conversationId, taskId } = await say({ agentSlug, text: 'Rate me, secret words' });
    const path = `/api/chat/tasks/${taskId}/feedback/2`;
    const put = (body: object, client = ada): Promise<Response> =>
      client.call(path, { method: 'PUT', body: { conversationId, ...body } });
    expect((await put({ verdict: 'good' })).status).toBe(200);
    expect((await put({ verdict: 'bad', category: 'wrong', note: 'It is 42' })).status).toBe(200);
    expect((await thread(conversationId)).feedback).toEqual([
      { taskId, seq: 2, verdict: 'bad', category: 'wrong', note: 'It is 42' },
    ]);
    const counts = async (client = ada): Promise<Response> => client.call(`/api/agents/${agentSlug}/feedback`);
    const seen = await (await counts()).text();
    expect(JSON.parse(seen)).toMatchObject({
      good: 0,
      bad: 1,
      categories: [{ category: 'wrong', count: 1 }],
      notes: [{ note: 'It is 42' }],
    });
    expect(seen).not.toMatch(/secret words|usr_|Ada|cnv_/);
    expect((await counts(bob)).status).toBe(404);
    expect((await put({ verdict: 'good' }, bob)).status).toBe(404);
    expect((await put({ verdict: 'bad', category: 'nonsense' })).status).toBe(400);
    const another = { method: 'PUT', body: { conversationId, verdict: 'bad' } };
    expect((await ada.call(`/api/chat/tasks/${taskId}/feedback/1`, another)).status).toBe(400);
    const gone = await ada.call(`${path}?conversation=${conversationId}`, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    expect((await thread(conversationId)).feedback).toEqual([]);
  });
});

describe('XSS-2: an agent’s HTML page', () => {
  test('is served only to its user, in an opaque origin without permissions', async () => {
    const html = '<h1>Report</h1><script>alert(1)</script>';
    agent.answer(({ result, end }) => {
      const id = newUuid();
      const part = { kind: 'file', file: { name: 'r.html', mimeType: 'text/html', bytes: btoa(html) } };
      result(agent03.status(id, 'working'));
      result({
        kind: 'artifact-update',
        taskId: id,
        contextId: 'agent-context',
        artifact: { artifactId: 'page', parts: [part] },
      });
      result(agent03.status(id, 'completed'));
      end();
    });
    const { taskId, conversationId } = await say({ agentSlug, text: 'Make a page' });
    const page = await read(`tasks/${taskId}/page?artifact=page&part=0`);
    expect(page.status).toBe(200);
    expect(await page.text()).toBe(html);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox; default-src 'none'/);
    expect(policy).not.toMatch(/allow-same-origin|allow-scripts|https?:/);
    expect((await read(`tasks/${taskId}/page?artifact=page&part=0`, bob)).status).toBe(404);
    expect((await read(`tasks/${taskId}/page?artifact=other&part=0`)).status).toBe(404);
    await ada.call(`/api/chat/conversations/${conversationId}`, { method: 'DELETE' });
    expect((await read(`tasks/${taskId}/page?artifact=page&part=0`)).status).toBe(404);
  });
});
