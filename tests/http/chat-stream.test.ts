import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { countOn } from '../fakes/counting-script';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, readEvents, send, type WireEvent } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { ChatClient, isFinished, stepsOf, textIn } from './chat-fixture';

let parley: Parley;
let agent: ScriptedAgent;
let ada: ChatClient;
let agentSlug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Stream partner' });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = new ChatClient(parley.url, await createPerson(parley.url, 'Ada'));
  agentSlug = await listAgent(parley.url, ada.person, { url: agent.url });
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

beforeEach(() => {
  agent.received.length = 0;
});

/** Responds to the next sends chunk by chunk, each when the test asks for it. */
function speak(taskId: string): { piece: (text: string) => Promise<void>; finish: () => Promise<void> } {
  let exchange: Exchange | undefined;
  let count = 0;
  agent.answer((opened) => {
    exchange = opened;
    opened.result(agent03.status(taskId, 'working'));
  });
  const opened = (): Promise<Exchange> => waitFor(() => exchange, { what: 'the agent to be called' });
  return {
    async piece(text) {
      (await opened()).result(agent03.artifact(taskId, text, { append: count > 0 }));
      count += 1;
    },
    async finish() {
      const { result, end } = await opened();
      result(agent03.status(taskId, 'completed'));
      end();
    },
  };
}

/** Reads a stream until `until`, then disconnects. */
async function read(response: Response, until: (events: WireEvent[]) => boolean): Promise<WireEvent[]> {
  expect(response.status).toBe(200);
  return readEvents(response, until);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a conversation’s stream', () => {
  test('SSE-4 is an event stream that is neither stored nor buffered', async () => {
    const { conversationId, taskId } = await completedTurn('Hello');
    const response = await ada.events(conversationId);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    await read(response, (events) => isFinished(events, taskId));
  });

  test('sends every event once, in order, starting with the first', async () => {
    const { conversationId, taskId } = await completedTurn('Hello');
    const events = await read(await ada.events(conversationId), (seen) => isFinished(seen, taskId));
    const steps = stepsOf(events);
    expect(steps[0]).toMatchObject({ from: 1 });
    for (const [index, { from }] of steps.entries()) if (index > 0) expect(from).toBe((steps[index - 1]?.seq ?? 0) + 1);
  });

  test('continues live from the position at which the thread was read, without repeating an event', async () => {
    const voice = speak('up-live');
    const { conversationId, taskId } = await ada.say({ agentSlug });
    await voice.piece('one ');
    const view = await waitFor(
      async () => {
        const thread = await ada.thread(conversationId);
        return textIn(thread.tasks) === 'one ' ? thread : null;
      },
      { what: 'the first piece' },
    );
    const reading = ada
      .events(conversationId, { after: view.cursor })
      .then((response) => read(response, (seen) => isFinished(seen, taskId)));
    await voice.piece('two ');
    await voice.piece('three');
    await voice.finish();
    const events = await reading;
    expect(textIn(events.map(({ data }) => data as never))).toBe('two three');
    const seen = view.tasks[0]?.events.at(-1)?.seq ?? 0;
    expect(stepsOf(events)[0]?.from).toBe(seen + 1);
  });

  test('includes tasks that start later, even in another tab', async () => {
    const first = await completedTurn('First');
    const { cursor } = await ada.thread(first.conversationId);
    const tabs = await Promise.all([1, 2].map(() => ada.events(first.conversationId, { after: cursor })));
    const second = await ada.say({ conversationId: first.conversationId, text: 'Second' });
    for (const tab of tabs) {
      const events = await read(tab, (seen) => isFinished(seen, second.taskId));
      expect(new Set(stepsOf(events).map(({ taskId }) => taskId))).toEqual(new Set([second.taskId]));
    }
  });

  test('continues after a question is answered', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.status('up-q', 'input-required', 'Which?'));
      end();
    });
    const { conversationId, taskId } = await ada.say({ agentSlug });
    const reading = ada.events(conversationId).then((response) => read(response, (seen) => isFinished(seen, taskId)));
    await waitFor(async () => (await ada.thread(conversationId)).tasks[0]?.events.length === 3, {
      what: 'the question',
    });
    agent.answer(({ result, end }) => {
      result(agent03.status('up-q', 'completed', 'Thanks'));
      end();
    });
    await ada.say({ conversationId, taskId, text: 'This one' });
    expect(stepsOf(await reading).map(({ type }) => type)).toEqual([
      'message',
      'status',
      'status',
      'message',
      'status',
      'status',
    ]);
  });

  test('stays open between turns', async () => {
    const { conversationId } = await completedTurn('Hello');
    const { cursor } = await ada.thread(conversationId);
    const response = await ada.events(conversationId, { after: cursor });
    const next = ada.say({ conversationId, text: 'More' });
    const events = await read(response, (seen) => seen.length > 0);
    expect(stepsOf(events)[0]).toMatchObject({ taskId: (await next).taskId, from: 1 });
  });
});

describe('a resumed stream', () => {
  test('SSE-3 contains exactly the later events, for a header or query, and for a finished conversation', async () => {
    const { conversationId, taskId } = await completedTurn('One');
    const second = await completedTurn('Two', conversationId);
    const whole = await read(
      await ada.events(conversationId),
      (seen) => isFinished(seen, taskId) && isFinished(seen, second.taskId),
    );
    for (const [index, { id }] of whole.entries()) {
      const rest = stepsOf(whole.slice(index + 1));
      const third = await ada.say({ conversationId, text: `marker ${index}` });
      const knownOf = (seen: WireEvent[]): ReturnType<typeof stepsOf> =>
        stepsOf(seen).filter((step) => step.taskId === taskId || step.taskId === second.taskId);
      // Tasks are interleaved: the third may come first.
      const resumed = await read(
        await ada.events(conversationId, index % 2 === 0 ? { lastEventId: id } : { after: id }),
        (seen) =>
          stepsOf(seen).some((step) => step.taskId === third.taskId && step.seq >= 2) &&
          expand(knownOf(seen)).length >= expand(rest).length,
      );
      expect(expand(knownOf(resumed)), `after event ${index}`).toEqual(expand(rest));
      await settled(conversationId);
    }
  });

  test('ends with the complete text after the server was killed, and the agent receives one send', async () => {
    const pieces = Array.from({ length: 200 }, (_, index) => (index % 7 === 0 ? '🚀é\u0301' : `${index};`));
    countOn(agent, { taskId: 'up-r', pieces, pauseMs: 5 });
    const { conversationId, taskId } = await ada.say({ agentSlug, text: 'count' });
    let seen: WireEvent[] = [];
    const reading = ada
      .events(conversationId)
      .then((response) =>
        readEvents(response, (events) => {
          seen = [...events];
          return false;
        }),
      )
      .catch(() => seen);
    await waitFor(() => textIn(seen.map(({ data }) => data as never)).length > 20, { what: 'the stream to run' });
    await parley.kill('SIGKILL');
    await reading;
    await parley.restart();
    const rest = await read(await ada.events(conversationId, { lastEventId: seen.at(-1)?.id }), (events) =>
      isFinished(events, taskId),
    );
    const text = textIn([...seen, ...rest].map(({ data }) => data as never));
    expect(sha256(text)).toBe(sha256(pieces.join('')));
    expect(textIn((await ada.thread(conversationId)).tasks)).toBe(pieces.join(''));
    expect(agent.calls('message/stream')).toHaveLength(1);
  });

  test.each(['-1', '9223372036854775808', 'X', '0.', '0.....', '%', '0.AAAAAAAAAAAAAAAAAAAAAA:0:0:z'])(
    'SSE-3 is rejected for the position %j with a reason, and is not partly accepted',
    async (after) => {
      const { conversationId } = await completedTurn('Hello');
      for (const response of [
        await ada.events(conversationId, { after }),
        await ada.events(conversationId, { lastEventId: after }),
      ]) {
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          code: 'invalid_request',
          title: expect.stringContaining('Last-Event-ID'),
        });
      }
    },
  );

  test('SSE-3 contains exactly the user’s own events, even with another conversation’s or user’s cursor', async () => {
    const bob = new ChatClient(parley.url, await createPerson(parley.url, 'Bob'));
    quick();
    const bobs = await bob.say({ agentSlug, text: 'His' });
    await waitFor(async () => (await bob.thread(bobs.conversationId)).tasks[0]?.events.length === 5, {
      what: 'his answer',
    });
    const { cursor } = await bob.thread(bobs.conversationId);
    const { conversationId, taskId } = await completedTurn('Mine');
    const events = await read(await ada.events(conversationId, { after: cursor }), (seen) => isFinished(seen, taskId));
    expect(new Set(stepsOf(events).map((step) => step.taskId))).toEqual(new Set([taskId]));
    expect(stepsOf(events)[0]?.from).toBe(1);
  });
});

describe('the end of a stream', () => {
  test('follows the end of the session within a second, and the session cannot be used again', async () => {
    const carl = new ChatClient(parley.url, await createPerson(parley.url, 'Carl'));
    const other = new ChatClient(parley.url, await createPerson(parley.url, 'Cora'));
    quick();
    const { conversationId } = await carl.say({ agentSlug });
    const stored = await other.say({ agentSlug });
    const stream = await carl.events(conversationId);
    const untouched = await other.events(stored.conversationId);
    const ended = readEvents(stream).then(() => Date.now());
    const signedOutAt = Date.now();
    const signedOut = await send(`${parley.url}/api/auth/sign-out`, {
      method: 'POST',
      cookie: carl.person.cookie,
      origin: parley.url,
    });
    expect(signedOut.status).toBeLessThan(300);
    expect((await ended) - signedOutAt).toBeLessThan(1_000);
    expect((await carl.events(conversationId)).status).toBe(401);
    expect((await read(untouched, (seen) => isFinished(seen, stored.taskId))).length).toBeGreaterThan(0);
  });

  test('LIM-9 frees a slot for a user who has 20 streams open', async () => {
    const dina = new ChatClient(parley.url, await createPerson(parley.url, 'Dina'));
    quick();
    const { conversationId } = await dina.say({ agentSlug });
    const open = await Promise.all(Array.from({ length: 20 }, () => dina.events(conversationId)));
    expect(open.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await dina.events(conversationId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await open[0]?.body?.cancel();
    await waitFor(
      async () => {
        const again = await dina.events(conversationId);
        await again.body?.cancel();
        return again.status === 200;
      },
      { what: 'a slot to be free' },
    );
    for (const stream of open.slice(1)) await stream.body?.cancel();
  });

  test('does not affect the task if the reader causes it', async () => {
    const voice = speak('up-leave');
    const { conversationId, taskId } = await ada.say({ agentSlug });
    await voice.piece('first ');
    const stream = await ada.events(conversationId);
    await read(stream, (seen) => textIn(seen.map(({ data }) => data as never)) === 'first ');
    await voice.piece('second');
    await voice.finish();
    const whole = await read(await ada.events(conversationId), (seen) => isFinished(seen, taskId));
    expect(textIn(whole.map(({ data }) => data as never))).toBe('first second');
  });

  test('follows a HEAD request immediately, and leaves no stream behind', async () => {
    const fred = new ChatClient(parley.url, await createPerson(parley.url, 'Fred'));
    quick();
    const { conversationId } = await fred.say({ agentSlug });
    for (let times = 0; times < 25; times += 1) {
      expect((await fred.call(`/api/chat/conversations/${conversationId}/events`, { method: 'HEAD' })).status).toBe(
        200,
      );
    }
  });
});

/** The agent responds immediately. */
function quick(): void {
  agent.answer(({ result, end }) => {
    result(agent03.status('up-1', 'working'));
    result(agent03.artifact('up-1', 'Hi'));
    result(agent03.status('up-1', 'completed'));
    end();
  });
}

/** Sends a message and waits for the whole reply. */
async function completedTurn(
  text: string,
  conversationId?: string,
): Promise<{ conversationId: string; taskId: string }> {
  quick();
  const posted = await ada.say(conversationId ? { conversationId, text } : { agentSlug, text });
  await settled(posted.conversationId);
  return posted;
}

async function settled(conversationId: string): Promise<void> {
  await waitFor(async () => (await ada.thread(conversationId)).tasks.every(({ events }) => events.at(-1)?.seq === 5), {
    what: 'every answer to be complete',
  });
}

/** Every number that steps cover, however they were merged. */
function expand(steps: { taskId: string; seq: number; from: number }[]): string[] {
  return steps
    .flatMap(({ taskId, seq, from }) =>
      Array.from({ length: seq - from + 1 }, (_, index) => `${taskId} ${from + index}`),
    )
    .sort();
}
