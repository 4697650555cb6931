import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatCompletion } from '@/lib/hosts/schema-openai';
import type { AgentResponse } from '@/lib/hosts/schema-responses';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { withoutMarker } from '../support/markers';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** The ways to continue a conversation on OpenAI's API. Equal content never continues one. */

let parley: SharedParley;
let ada: Person;
let bob: Person;
let agent: ScriptedAgent;
let slug: string;

/** The texts that the agent received, by its context. */
const receivedIn = new Map<string, string[]>();

beforeAll(async () => {
  parley = await sharedParley();
  [ada, bob] = await Promise.all([createPerson(parley.url, 'Ada'), createPerson(parley.url, 'Bob')]);
  agent = await ScriptedAgent.start({ name: `Rememberer ${randomUUID().slice(0, 6)}` });
  slug = await listAgent(parley.url, ada, { url: agent.url });
});
beforeEach(() => {
  agent.received.length = 0;
  answer(() => 'Fine');
});
afterAll(() => agent?.stop());

/** The agent stores each context, and answers with a text that depends on the messages in it. */
function answer(textOf: (said: string[]) => string): void {
  agent.answer(({ received: { params }, result, end }) => {
    const contextId = params.message?.contextId ?? randomUUID();
    const texts = (params.message?.parts ?? []).map(({ text }) => text ?? '(file)');
    const said = [...(receivedIn.get(contextId) ?? []), ...texts];
    receivedIn.set(contextId, said);
    const id = randomUUID();
    const events = [agent03.task(id, 'working'), agent03.artifact(id, textOf(said)), agent03.status(id, 'completed')];
    for (const event of events) result({ ...event, contextId });
    end();
  });
}

/** The agent asks a question. */
function ask(question: string): void {
  agent.answer(({ result, end }) => {
    const id = randomUUID();
    result(agent03.task(id, 'working'));
    result(agent03.status(id, 'input-required', question));
    end();
  });
}

interface Sending {
  person?: Person;
  headers?: Record<string, string>;
  user?: string;
  metadata?: object;
}

interface Answered {
  text: string;
  context: string;
  task: string;
  id: string;
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

async function chat(messages: object[], { person = ada, headers = {}, ...members }: Sending = {}): Promise<Answered> {
  const body = { model: slug, messages, ...members };
  const response = await send(`${parley.url}/v1/chat/completions`, { bearer: person.accessToken, body, headers });
  expect(response.status, await response.clone().text()).toBe(200);
  const { id, choices } = (await response.json()) as ChatCompletion;
  return { id, text: choices[0]?.message.content ?? '', ...idsOf(response) };
}

async function respond(body: object, { person = ada, headers = {} }: Sending = {}): Promise<Answered> {
  const url = `${parley.url}/v1/responses`;
  const response = await send(url, { bearer: person.accessToken, body: { model: slug, ...body }, headers });
  expect(response.status, await response.clone().text()).toBe(200);
  const { id, output } = (await response.json()) as AgentResponse;
  return { id, text: output[0]?.content[0]?.text ?? '', ...idsOf(response) };
}

function idsOf({ headers }: Response): { context: string; task: string } {
  return { context: headers.get('x-parley-context') ?? '', task: headers.get('x-parley-task') ?? '' };
}

const textsReceived = (): (string | undefined)[] =>
  agent.messages.at(-1)?.params.message?.parts.map(({ text }) => text) ?? [];

describe('a conversation in its context', () => {
  test('continues if the client sends its answers unchanged or trimmed', async () => {
    const first = await chat([user('Hello')]);
    const second = await chat([user('Hello'), assistant(first.text.trim()), user('And?')]);
    expect(second.context).toBe(first.context);
    expect(textsReceived()).toEqual(['And?']);
    const history = [user('Hello'), assistant(first.text), user('And?'), assistant(second.text)];
    expect((await chat([...history, user('Then?')])).context).toBe(first.context);
    // Hosts omit messages that exceed their limit.
    const third = await chat([user('Hello'), assistant(first.text), user('Again')]);
    const cut = await chat([user('Again'), assistant(third.text), user('More')]);
    expect(cut.context).toBe(third.context);
  });

  test('continues after a streamed answer, while a stopped answer has no marker', async () => {
    const body = { model: slug, messages: [user('Hello')], stream: true };
    const response = await send(`${parley.url}/v1/chat/completions`, { bearer: ada.accessToken, body });
    const data = (await response.text()).match(/^data: \{.*$/gm)?.map((line) => JSON.parse(line.slice(6))) ?? [];
    const pieces = data.map(({ choices }) => choices[0]?.delta.content ?? '');
    const next = await chat([user('Hello'), assistant(pieces.join('')), user('And?')]);
    expect(next.context).toBe(idsOf(response).context);
    const stopped = await chat([user('Hello'), assistant(pieces.slice(0, -2).join('')), user('And?')]);
    expect(stopped.context).not.toBe(idsOf(response).context);
  });

  test('continues if the instructions change, and the agent receives the new ones', async () => {
    const system = (content: string) => ({ role: 'system', content });
    const first = await chat([system('Today is day 1'), user('Hello')]);
    expect(textsReceived()).toEqual(['Today is day 1', 'Hello']);
    const history = [user('Hello'), assistant(first.text)];
    const same = await chat([system('Today is day 1'), ...history, user('And?')]);
    expect([same.context, textsReceived()]).toEqual([first.context, ['And?']]);
    const changed = await chat([
      system('Today is day 2'),
      ...history,
      user('And?'),
      assistant(same.text),
      user('Now?'),
    ]);
    expect([changed.context, textsReceived()]).toEqual([first.context, ['Today is day 2', 'Now?']]);
  });

  test('continues if its answers are JSON, which stays valid with a marker', async () => {
    answer((said) => JSON.stringify({ said }));
    const first = await chat([user('Hello')]);
    expect(JSON.parse(first.text)).toEqual({ said: ['Hello'] });
    const second = await chat([user('Hello'), assistant(first.text), user('And?')]);
    expect(second.context).toBe(first.context);
    expect(JSON.parse(second.text)).toEqual({ said: ['Hello', 'And?'] });
  });

  test('continues if a request names the previous response, its message, or a conversation', async () => {
    const first = await respond({ input: 'Hello' });
    const second = await respond({ input: 'And?', previous_response_id: first.id });
    expect([second.context, textsReceived()]).toEqual([first.context, ['And?']]);
    const message = { type: 'item_reference', id: `msg_${second.id.slice(-32)}` };
    const third = await respond({ input: [user('Hello'), message, user('Then?')] });
    expect([third.context, textsReceived()]).toEqual([first.context, ['Then?']]);
    const fourth = await respond({
      input: [
        {
          type: 'message',
          id: `msg_${third.id.slice(-32)}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Fine' }],
        },
        user('End'),
      ],
    });
    expect(fourth.context).not.toBe('');
    const conversation = `c-${randomUUID()}`;
    const named = await respond({ input: 'Hello', conversation });
    const again = await respond({ input: 'More', conversation: { id: conversation } });
    expect([again.context, textsReceived()]).toEqual([named.context, ['More']]);
    expect([named.text, again.text]).toEqual(['Fine', 'Fine']);
  });

  test.each([
    ['X-OpenWebUI-Chat-Id', {}],
    ['X-Conversation-Id', {}],
    ['', { metadata: { chat_id: 'c1' } }],
  ])('continues if the host sends its own id (%s %j) but drops Parley’s markers', async (header, members) => {
    const headers: Record<string, string> = header === '' ? {} : { [header]: randomUUID() };
    const own = { headers, user: randomUUID(), ...members };
    const first = await chat([user('Hello')], own);
    const plain = [user('Hello'), assistant('Fine'), user('And?')];
    expect((await chat(plain, own)).context).toBe(first.context);
    // Another conversation, another user, an edited message, other instructions, and another file.
    const others = [
      await chat(plain, { ...own, headers: { 'x-conversation-id': randomUUID() }, metadata: {} }),
      await chat(plain, { ...own, user: randomUUID() }),
      await chat([user('Hallo'), ...plain.slice(1)], own),
      await chat([{ role: 'system', content: 'Be brief' }, ...plain], own),
      await chat([user([{ type: 'text', text: 'Hello' }, image]), ...plain.slice(1)], own),
    ];
    for (const { context } of others) expect(context).not.toBe(first.context);
  });

  test('answers only its own agent’s question', async () => {
    ask('Which city?');
    const asked = await chat([user('Weather')]);
    const other = await chat([user('Weather')]);
    agent.answer(({ received: { params }, result, end }) => {
      result(agent03.status(params.message?.taskId ?? randomUUID(), 'completed', 'Sunny'));
      end();
    });
    // Without a marker, the conversation is unknown to Parley.
    const stranger = await chat([user('Weather'), assistant('Which city?'), user('Rome')]);
    expect([asked.task, other.task]).not.toContain(stranger.task);
    const answered = await chat([user('Weather'), assistant(asked.text), user('Rome')]);
    expect([answered.task, withoutMarker(answered.text)]).toEqual([asked.task, 'Sunny']);
    expect((await chat([user('Weather'), assistant(other.text), user('Milan')])).task).toBe(other.task);
  });
});

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } };

describe('a new context with the transcript', () => {
  const expectNew = (answered: Answered, ...others: Answered[]): void => {
    expect(others.map(({ context }) => context)).not.toContain(answered.context);
    expect(textsReceived()[0]).toMatch(/^Earlier messages of this conversation:\n\nUser: /);
  };

  test('starts if nothing identifies the conversation, and includes the files in its messages', async () => {
    const first = await chat([user('Hello')]);
    const messages = [user([{ type: 'text', text: 'Hello' }, image]), assistant('Fine'), user('And?')];
    expectNew(await chat(messages), first);
    expect(textsReceived()).toEqual([expect.stringContaining('User: Hello\n\nAssistant: Fine'), undefined, 'And?']);
    expectNew(await respond({ input: [user('Hello'), assistant('Fine'), user('And?')] }), first);
  });

  test('AUZ-2: starts if the marker belongs to another user or agent, or is forged', async () => {
    const first = await chat([user('Hello')], { user: 'alice' });
    const messages = [user('Hello'), assistant(first.text), user('And?')];
    expectNew(await chat(messages, { person: bob }), first);
    expectNew(await chat(messages, { user: 'mallory' }), first);
    expectNew(await chat(messages), first);
    expectNew(await chat(messages, { user: 'alice', headers: { 'x-openwebui-user-id': 'mallory' } }), first);
    const symbols = ['\u200b', '\u200c', '\u200d', '\u2060'];
    const forged = [...randomBytes(64)].map((byte) => symbols[byte % 4]).join('');
    expectNew(await chat([user('Hello'), assistant(`Fine\n\n${forged}`), user('And?')], { user: 'alice' }), first);
    // A marker in a message of the user has no effect, and the agent does not receive it.
    await chat([user(`Hello${first.text}`)], { user: 'alice' });
    expect(textsReceived()).toEqual(['HelloFine']);
    expect((await chat(messages, { user: 'alice' })).context).toBe(first.context);
  });

  test('starts if any turn is regenerated or edited', async () => {
    const first = await chat([user('Hello')]);
    const history = [user('Hello'), assistant(first.text)];
    const second = await chat([...history, user('And?')]);
    expectNew(await chat([...history, user('And?')]), first);
    expectNew(await chat([...history, user('But?')]), first);
    const both = [...history, user('And?'), assistant(second.text)];
    expectNew(await chat([user('Hallo'), ...both.slice(1), user('Then?')]), first);
    expectNew(
      await chat([both[0] ?? {}, assistant(first.text.replace('Fine', 'Bad')), ...both.slice(2), user('Then?')]),
      first,
    );
    expect((await chat([...both, user('Then?')])).context).toBe(first.context);
  });

  test('starts if a response is continued twice, from the messages that Parley stored', async () => {
    const first = await respond({ input: 'Hello' });
    const second = await respond({ input: 'And?', previous_response_id: first.id });
    await respond({ input: 'Then?', previous_response_id: second.id });
    const other = await respond({ input: 'But?', previous_response_id: first.id });
    expectNew(other, first);
    expect(textsReceived()).toEqual([expect.stringMatching(/User: Hello\n\nAssistant: Fine$/), 'But?']);
    const reference = { type: 'item_reference', id: `msg_${second.id.slice(-32)}` };
    expectNew(await respond({ input: [user('Hello'), reference, user('Or?')] }), first);
    expect(textsReceived()[0]).toMatch(/User: Hello\n\nAssistant: Fine\n\nUser: And\?\n\nAssistant: Fine$/);
  });

  test('AUZ-2: never starts from another user’s context or response', async () => {
    const first = await respond({ input: 'Hello', user: 'alice' });
    for (const person of [{ user: 'mallory' }, {}]) {
      for (const [members, headers] of [
        [{ previous_response_id: first.id }, {}],
        [{}, { 'x-parley-context': first.context }],
      ] as const) {
        const body = { model: slug, input: 'More', ...person, ...members };
        const response = await send(`${parley.url}/v1/responses`, { bearer: ada.accessToken, body, headers });
        expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      }
    }
    const conversation = 'weekly';
    const named = await respond({ input: 'Hello', user: 'alice', conversation });
    expect((await respond({ input: 'Hello', user: 'mallory', conversation })).context).not.toBe(named.context);
  });
});

/** Numbers that a seed determines (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Conversation {
  person: Person;
  secret: string;
  messages: { role: string; content: string }[];
  context: string | null;
  previous?: string;
}

const openings = ['hello', 'hi', 'help me'];
const replies = ['ok', 'thanks', 'go on'];

describe('AUZ-2: 200 interleaved conversations with one key and identical beginnings', () => {
  /** Sends one message of a conversation in the way of the API, and returns its context. */
  const ways: Record<string, (conversation: Conversation) => Promise<Answered>> = {
    '/v1/chat/completions': ({ messages, person }) => chat(messages, { person }),
    '/v1/responses, with all items': ({ messages, person }) => respond({ input: messages }, { person }),
    '/v1/responses, by previous_response_id': ({ messages, previous, person }) =>
      respond({ input: messages.slice(-1), previous_response_id: previous }, { person }),
  };

  test.each(Object.keys(ways))(
    'remain separate on %s',
    async (way) => {
      const next = randomOf(4_711);
      // Every conversation receives the same answers until it has sent its secret.
      answer((said) => said.filter((text) => text.startsWith('secret-')).join(' ') || 'Fine');
      const sendBy = ways[way] ?? (() => Promise.reject(new Error(way)));
      // More messages of one key would reach its rate limit.
      const keys = await Promise.all(Array.from({ length: 8 }, () => createPerson(parley.url)));
      const conversations = keys.flatMap((person) =>
        Array.from({ length: 25 }, (): Conversation => {
          return { person, secret: `secret-${randomUUID()}`, messages: [], context: null };
        }),
      );
      const turns = conversations.flatMap((conversation) => Array.from({ length: 3 }, () => conversation));
      for (let at = turns.length - 1; at > 0; at--) {
        const other = next(at + 1);
        [turns[at], turns[other]] = [turns[other] as Conversation, turns[at] as Conversation];
      }
      const owners = new Map<string, Conversation>();
      const pending = new Map<Conversation, Promise<void>>();
      const take = async (conversation: Conversation): Promise<void> => {
        const { messages, secret } = conversation;
        const spoken = messages.filter(({ role }) => role === 'user').length;
        const texts = [openings[next(3)], replies[next(3)], secret];
        messages.push({ role: 'user', content: texts[spoken] ?? '' });
        const { context, text, id } = await sendBy(conversation);
        expect(owners.get(context) ?? conversation).toBe(conversation);
        owners.set(context, conversation);
        expect(conversation.context ?? context).toBe(context);
        expect(withoutMarker(text)).toBe(spoken === 2 ? secret : 'Fine');
        Object.assign(conversation, { context, previous: id });
        messages.push({ role: 'assistant', content: text });
      };
      for (const conversation of turns) {
        const turn = (pending.get(conversation) ?? Promise.resolve()).then(() => take(conversation));
        pending.set(conversation, turn);
        if (pending.size >= 16) {
          await Promise.all(pending.values());
          pending.clear();
        }
      }
      await Promise.all(pending.values());
      expect(owners.size).toBe(conversations.length);
    },
    120_000,
  );
});
