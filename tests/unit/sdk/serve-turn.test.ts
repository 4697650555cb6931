import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Connection, type ConnectOptions, connectWith } from '@/packages/sdk/src/serve/connect';
import type { SocketConstructor } from '@/packages/sdk/src/serve/open-socket';
import type { TurnSummary } from '@/packages/sdk/src/serve/run';
import { type Handler, TurnError } from '@/packages/sdk/src/serve/turn';
import { type FakeConnection, FakeHub, offer } from '../../fakes/fake-hub';
import { ManualClock } from '../../fakes/manual-clock';
import { waitFor } from '../../support/wait-for';

let hub: FakeHub;
let clock: ManualClock;
let worker: Connection;
let summaries: TurnSummary[];
let connection: FakeConnection;

beforeEach(async () => {
  hub = await FakeHub.start();
  clock = new ManualClock(0);
  summaries = [];
});
afterEach(async () => {
  void worker?.drain({ timeoutMs: 0 });
  clock.advance(60_000);
  await hub.stop();
});

async function serving(handle: Handler, options: Partial<ConnectOptions> = {}): Promise<void> {
  const onTurn = (summary: TurnSummary) => summaries.push(summary);
  const socket = WebSocket as object as SocketConstructor;
  const common = { url: hub.url, agent: 'greeter', token: 'parley_a', WebSocket: socket };
  worker = await connectWith({ ...common, handle, onTurn, ...options } as ConnectOptions, clock);
  connection = await hub.connection();
  await waitFor(() => worker.state === 'online', { what: 'the hello' });
}

/** Offers and starts a run. */
async function run(text: string, more: Record<string, unknown> = {}): Promise<{ runId: string; epoch: number }> {
  const params = offer(text, more);
  const ref = { runId: String(params.runId), epoch: Number(params.epoch) };
  expect(await connection.request('run.offer', params)).toEqual({ accept: true });
  connection.notify('run.start', ref);
  return ref;
}

async function ended(number = 1): Promise<TurnSummary | undefined> {
  await waitFor(() => summaries.length >= number, { what: 'the end of a turn' });
  const settled = /TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED|INPUT_REQUIRED)/;
  await waitFor(() => settled.test(JSON.stringify(connection.items().at(-1) ?? {})), { what: 'its events' });
  return summaries[number - 1];
}

const status = (state: string, text?: string) => ({
  statusUpdate: expect.objectContaining({
    status: expect.objectContaining({
      state: `TASK_STATE_${state}`,
      ...(text !== undefined && { message: expect.objectContaining({ parts: [{ text }] }) }),
    }),
  }),
});
const chunk = (parts: object[], append: boolean) => ({
  artifactUpdate: expect.objectContaining({ artifact: { artifactId: 'answer-2', parts }, append }),
});

describe('a handler', () => {
  it('can yield text, parts and events, which are sent as chunks of one artifact and events', async () => {
    await serving(async function* (turn) {
      yield `You said: ${turn.text}. `;
      yield turn.status('Looking');
      yield { data: { n: 1 } };
      yield turn.artifact({ name: 'report.txt', text: 'All is well.' });
      yield '';
    });
    await run('hi');
    expect((await ended())?.outcome).toBe('completed');
    expect(connection.items()).toEqual([
      status('WORKING'),
      chunk([{ text: 'You said: hi. ' }], false),
      status('WORKING', 'Looking'),
      chunk([{ data: { n: 1 } }], true),
      {
        artifactUpdate: expect.objectContaining({
          artifact: expect.objectContaining({ name: 'report.txt', parts: [{ text: 'All is well.' }] }),
        }),
      },
      status('COMPLETED'),
    ]);
    expect(connection.calls('run.event').map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('sends its task’s ids with each event, but no other data from the turn', async () => {
    await serving(async () => 'Hello');
    const token = 'a-secret';
    await run('Ada', { token });
    await ended();
    for (const item of connection.items()) {
      const members = Object.values(item).flatMap((update) => Object.keys(update as object));
      expect(members).toEqual(expect.arrayContaining(['taskId', 'contextId']));
      expect(members.filter((name) => !['artifact', 'append', 'status'].includes(name))).toHaveLength(2);
    }
    expect(JSON.stringify(connection.items())).not.toContain(token);
  });

  it('can be a plain async function', async () => {
    await serving(async ({ text }) => `Hello, ${text}`);
    await run('Ada');
    await ended();
    expect(connection.items()[1]).toEqual(chunk([{ text: 'Hello, Ada' }], false));
  });

  it('can end the task itself', async () => {
    await serving(async function* ({ taskId, contextId }) {
      yield { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_REJECTED' } } };
      yield 'never sent';
    });
    await run('hi');
    expect((await ended())?.outcome).toBe('failed');
    expect(connection.items()).toEqual([status('WORKING'), status('REJECTED')]);
  });

  it('can return a message, which completes the task', async () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: 'Hi' }] };
    await serving(async () => ({ message }));
    await run('hi');
    await ended();
    expect(connection.items()).toEqual([status('WORKING'), status('COMPLETED', 'Hi')]);
  });

  it('can yield a text longer than a frame, which is split', async () => {
    const text = '😀'.repeat(400_000);
    hub.policy = { ...hub.policy, windowEvents: 1_000, windowBytes: 4_000_000 };
    await serving(async () => text);
    await run('hi');
    await ended();
    await waitFor(() => connection.items().length >= 27, { what: 'all chunks' });
    const chunks = connection.items().slice(1, -1) as { artifactUpdate: { artifact: { parts: { text: string }[] } } }[];
    expect(chunks.map(({ artifactUpdate }) => artifactUpdate.artifact.parts[0]?.text).join('')).toBe(text);
  });

  it('sends no error text to the caller if it throws, except a TurnError’s text', async () => {
    await serving(async ({ text }) => {
      throw text === 'own' ? new TurnError('The file is empty.') : new Error('password=secret');
    });
    await run('own');
    expect(await ended()).toMatchObject({ outcome: 'failed', error: expect.any(TurnError) });
    expect(connection.items()[1]).toEqual(status('FAILED', 'The file is empty.'));
    await run('other');
    await ended(2);
    await waitFor(() => connection.items().length === 4, { what: 'the second end' });
    expect(connection.items()[3]).toEqual(status('FAILED', expect.stringContaining('could not finish')));
    expect(JSON.stringify(connection.items())).not.toContain('secret');
  });
});

describe('a question', () => {
  it.each<[string, Handler]>([
    [
      'yielded',
      async function* (turn) {
        yield turn.ask('Which city?');
        yield 'never sent';
      },
    ],
    ['returned', async (turn) => turn.ask('Which city?')],
    ['only asked', async (turn) => void turn.ask('Which city?')],
  ])('%s ends the turn with input-required', async (_how, handle) => {
    await serving(handle);
    await run('weather');
    expect((await ended())?.outcome).toBe('input-required');
    expect(connection.items()).toEqual([status('WORKING'), status('INPUT_REQUIRED', 'Which city?')]);
  });

  it('is answered by the next turn, which includes the earlier messages', async () => {
    await serving(async (turn) => `${turn.isReply} ${turn.history.map(({ parts }) => parts[0]?.text)} ${turn.text}`);
    const message = (role: string, text: string) => ({ messageId: text, role, parts: [{ text }] });
    const history = [message('ROLE_USER', 'weather'), message('ROLE_AGENT', 'Which city?')];
    await run('Rome', { task: { id: 't', contextId: 'c', history } });
    await ended();
    expect(connection.items()[1]).toEqual(chunk([{ text: 'true weather,Which city? Rome' }], false));
  });
});

describe('a turn', () => {
  it('contains the caller’s message, files and data', async () => {
    const claims = { sub: 'pairwise', client_id: 'cli', scope: 'agent:call', exp: 1, iat: 0 };
    const token = ['{}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');
    await serving(async ({ caller, files, data, text }) =>
      JSON.stringify({ subject: caller?.subject, files: files.length, data, text }),
    );
    const parts = [{ text: 'a' }, { url: 'https://a.example/f' }, { data: 1 }, { text: 'b' }];
    await run('', { token, request: { message: { messageId: 'm', role: 'ROLE_USER', parts } } });
    await ended();
    const text = JSON.stringify({ subject: 'pairwise', files: 1, data: [1], text: 'a\nb' });
    expect(connection.items()[1]).toEqual(chunk([{ text }], false));
  });

  it('can be canceled: its signal aborts, and its last status is canceled', async () => {
    let isAborted = false;
    await serving(async function* ({ signal }) {
      yield 'one';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isAborted = true;
      yield 'two';
    });
    const ref = await run('hi');
    await waitFor(() => connection.items().length === 2, { what: 'an event' });
    expect(await connection.request('run.cancel', ref)).toEqual({});
    expect((await ended())?.outcome).toBe('canceled');
    expect(isAborted).toBe(true);
    expect(connection.items().slice(2)).toEqual([status('CANCELED')]);
  });

  it('ends as canceled if its handler ignores the signal', async () => {
    await serving(async function* () {
      yield 'one';
      await new Promise(() => undefined);
    });
    const ref = await run('hi');
    await waitFor(() => connection.items().length === 2, { what: 'an event' });
    await connection.request('run.cancel', ref);
    expect(summaries).toEqual([]);
    clock.advance(1_500);
    expect((await ended())?.outcome).toBe('canceled');
  });
});

describe('an offered run', () => {
  it('is rejected as busy beyond the capacity', async () => {
    await serving(() => new Promise<void>(() => undefined), { capacity: 1 });
    await run('one');
    await waitFor(() => worker.activeTurns === 1, { what: 'a turn' });
    expect(await connection.request('run.offer', offer('two'))).toEqual({ accept: false, reason: 'busy' });
  });

  it('is rejected while the worker drains, which ends with the last turn', async () => {
    let finish: () => void = () => undefined;
    await serving(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const { runId } = await run('one');
    await waitFor(() => worker.activeTurns === 1, { what: 'a turn' });
    const drained = worker.drain();
    await waitFor(() => connection.calls('worker.state').length === 1, { what: 'the state' });
    expect(connection.calls('worker.state')).toEqual([{ draining: true }]);
    expect(await connection.request('run.offer', offer('two'))).toEqual({ accept: false, reason: 'draining' });
    finish();
    await waitFor(() => connection.items().length === 2, { what: 'the last event' });
    expect(connection.closeCode).toBeNull();
    connection.notify('run.ack', { runId, n: 2 });
    await drained;
    await waitFor(() => connection.closeCode === 1000, { what: 'the close' });
    expect(worker.state).toBe('stopped');
  });

  it('fails if it runs longer than the drain', async () => {
    await serving(() => new Promise<void>(() => undefined));
    const { runId } = await run('one');
    await waitFor(() => worker.activeTurns === 1, { what: 'a turn' });
    const drained = worker.drain({ timeoutMs: 5_000 });
    clock.advance(5_000);
    await waitFor(() => clock.delays.includes(1_500), { what: 'the abort' });
    clock.advance(1_500);
    await waitFor(() => connection.items().length === 2, { what: 'the last event' });
    expect(connection.items()[1]).toEqual(status('FAILED'));
    connection.notify('run.ack', { runId, n: 2 });
    await drained;
  });

  it('is released to another worker if it is safe to repeat', async () => {
    await serving(() => new Promise<void>(() => undefined), { redelivery: 'safe' });
    const ref = await run('one');
    await waitFor(() => worker.activeTurns === 1, { what: 'a turn' });
    const drained = worker.drain({ timeoutMs: 0 });
    clock.advance(0);
    await waitFor(() => connection.calls('run.release').length === 1, { what: 'the release' });
    expect(connection.calls('run.release')[0]).toMatchObject(ref);
    await drained;
  });

  it('with invalid params is answered with an error', async () => {
    await serving(async () => undefined);
    expect(await connection.request('run.offer', { runId: 'r', epoch: 1 })).toEqual({});
    expect(connection.frames.at(-1)?.error).toMatchObject({ code: -32602 });
    expect(worker.state).toBe('online');
  });
});

describe('the event window', () => {
  it('pauses the handler’s iterator until the hub acknowledges events', async () => {
    hub.policy = { ...hub.policy, windowEvents: 4 };
    let pulled = 0;
    await serving(async function* () {
      for (; pulled < 20; pulled += 1) yield `${pulled}`;
    });
    const { runId } = await run('hi');
    await waitFor(() => connection.items().length === 4, { what: 'a full window' });
    expect(pulled).toBe(2);
    connection.notify('run.ack', { runId, n: 3 });
    await waitFor(() => connection.items().length === 7, { what: 'the next events' });
    expect(pulled).toBe(5);
  });
});

describe('an error outside a handler', () => {
  const reported: [string, string][] = [];
  const onError = (error: unknown, what: string) => reported.push([(error as { code: string }).code, what]);
  const refuse = (refused: string, reason = 'unavailable') => {
    const error = { code: -32050, message: 'No.', data: { reason, retryable: true } };
    hub.onRequest = ({ method }) => (method === refused ? { error } : { result: {} });
  };
  beforeEach(() => reported.splice(0));

  it('is passed to onError if it is from a turn, unless onTurn receives it', async () => {
    const errors: unknown[] = [];
    const error = new Error('broken');
    const handle = async () => {
      throw error;
    };
    await serving(handle, { onTurn: undefined, onError: (caught, what) => errors.push(caught, what) });
    const { runId } = await run('hi');
    await waitFor(() => errors.length > 0, { what: 'the error' });
    expect(errors).toEqual([error, `The turn ${runId}`]);
  });

  it('is passed to onError if it is from a release', async () => {
    refuse('run.release');
    await serving(async () => undefined, { onError });
    connection.notify('run.start', { runId: 'unknown', epoch: 1 });
    await waitFor(() => reported.length > 0, { what: 'the error' });
    expect(reported).toEqual([['unavailable', 'Releasing a run']]);
  });

  it.each(['unknown_run', 'stale_epoch'])(
    'is ignored if it is from a release after the run has ended (%s)',
    async (reason) => {
      refuse('run.release', reason);
      await serving(async () => undefined, { onError });
      connection.notify('run.start', { runId: 'unknown', epoch: 1 });
      await waitFor(() => connection.calls('run.release').length > 0, { what: 'the release' });
      // Responses arrive in order: the error of the first release would arrive before that of the second.
      refuse('run.release');
      connection.notify('run.start', { runId: 'other', epoch: 1 });
      await waitFor(() => reported.length > 0, { what: 'the error' });
      expect(reported).toEqual([['unavailable', 'Releasing a run']]);
    },
  );

  it('is passed to onError if it is from a ping, except at the end of the connection', async () => {
    refuse('hub.ping');
    await serving(async () => undefined, { onError });
    clock.advance(20_000);
    await waitFor(() => reported.length > 0, { what: 'the error' });
    expect(reported).toEqual([['unavailable', 'A ping']]);
    hub.onRequest = () => null;
    clock.advance(20_000);
    await waitFor(() => connection.calls('hub.ping').length > 1, { what: 'another ping' });
    connection.cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    expect(reported).toHaveLength(1);
  });

  it('is passed to onError if it is from a token renewal, which is retried', async () => {
    const token = () => ({ token: 'parley_b', expiresAt: clock.now() / 1_000 + 12 });
    refuse('hub.auth');
    await serving(async () => undefined, { token, onError } as Partial<ConnectOptions>);
    clock.advance(10_000);
    await waitFor(() => reported.length > 0, { what: 'the error' });
    expect(reported).toEqual([['unavailable', 'Renewing the token']]);
    await waitFor(() => clock.delays.includes(10_000), { what: 'the wait' });
    clock.advance(10_000);
    await waitFor(() => connection.calls('hub.auth').length > 1, { what: 'another attempt' });
  });
});

describe('a call to another agent', () => {
  const task = (state: string) => ({ id: 'other', contextId: 'c', status: { state: `TASK_STATE_${state}` } });
  const update = (text: string) => ({
    artifactUpdate: { taskId: 'other', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append: true },
  });
  const answer = (text: string) => ({ artifactId: 'a', parts: [{ text }] });
  const completed = { statusUpdate: { taskId: 'other', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };

  it('is made on behalf of the caller, and its reply is forwarded', async () => {
    hub.onRequest = ({ method }) =>
      method === 'agent.search'
        ? { result: { items: [{ slug: 'analyst' }], total: 1 } }
        : { result: { task: task('SUBMITTED') } };
    await serving(async function* (turn) {
      const { items } = await turn.agents.search('csv', { limit: 3 });
      yield 'It says: ';
      yield await turn.agents.send(items[0]?.slug ?? '', turn.text);
    });
    const { runId } = await run('one,two');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    expect(connection.calls('agent.search')).toEqual([{ query: 'csv', limit: 3 }]);
    expect(connection.calls('agent.send')[0]).toMatchObject({
      agent: 'analyst',
      runId,
      message: { role: 'ROLE_USER', parts: [{ text: 'one,two' }] },
    });
    for (const item of [update('12 '), update('rows'), completed])
      connection.notify('agent.event', { taskId: 'other', item });
    await ended();
    expect(connection.items().at(-2)).toEqual(chunk([{ text: '12 ' }, { text: 'rows' }], true));
  });

  it('is retried with the same message after a reconnection, and loses no events', async () => {
    hub.onRequest = () => ({ result: { task: task('SUBMITTED') } });
    await serving(async (turn) => (await turn.agents.send('analyst', 'Hi')).text);
    const { runId, epoch } = await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    const [sent] = connection.calls('agent.send');
    const artifacts = [{ artifactId: 'a', parts: [{ text: 'done' }] }];
    hub.onRequest = () => ({ result: { task: { ...task('COMPLETED'), artifacts } } });
    hub.runs = [{ runId, epoch, seen: 1 }];
    connection.cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    clock.advance(1_000);
    connection = await hub.connection(2);
    await ended();
    expect(connection.calls('agent.send')).toEqual([sent]);
    expect(connection.items()[0]).toEqual(chunk([{ text: 'done' }], false));
  });

  it('has no timeout, because a person may have to allow it', async () => {
    hub.onRequest = () => null;
    await serving(async (turn) => (await turn.agents.send('analyst', 'Hi')).text);
    await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    hub.onRequest = ({ method }) => (method === 'hub.ping' ? { result: {} } : null);
    for (const pings of [1, 2]) {
      clock.advance(20_000);
      await waitFor(() => connection.calls('hub.ping').length === pings, { what: 'a ping' });
    }
    const sent = connection.frames.find(({ method }) => method === 'agent.send');
    connection.respond(sent?.id, { result: { task: { ...task('COMPLETED'), artifacts: [answer('late')] } } });
    await ended();
    expect(connection.items().at(-2)).toEqual(chunk([{ text: 'late' }], false));
  });

  it('can be canceled even before Parley has answered', async () => {
    hub.onRequest = ({ method }) => (method === 'agent.send' ? null : { result: {} });
    await serving(async (turn) => (await turn.agents.send('analyst', 'Hi')).text);
    const ref = await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    await connection.request('run.cancel', ref);
    expect((await ended())?.outcome).toBe('canceled');
    expect(connection.calls('agent.cancel')).toEqual([]);
    const sent = connection.frames.find(({ method }) => method === 'agent.send');
    connection.respond(sent?.id, { result: { task: task('SUBMITTED') } });
    await waitFor(() => connection.calls('agent.cancel').length === 1, { what: 'the cancel' });
    expect(connection.calls('agent.cancel')).toEqual([{ taskId: 'other' }]);
  });

  it('can be canceled by its own signal, and the turn continues', async () => {
    hub.onRequest = () => ({ result: { task: task('WORKING') } });
    const hurry = new AbortController();
    await serving(async (turn) => {
      const asking = turn.agents.send('analyst', 'Hi', { signal: hurry.signal });
      return asking.then(({ text }) => text).catch(() => 'It took too long.');
    });
    await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    hurry.abort();
    expect((await ended())?.outcome).toBe('completed');
    await waitFor(() => connection.calls('agent.cancel').length === 1, { what: 'the cancel' });
  });

  it('rejects with the reason if its turn fails without an answer', async () => {
    hub.onRequest = () => ({ result: { task: task('WORKING') } });
    await serving(async (turn) => {
      const error = await turn.agents.send('analyst', 'Hi').catch((caught: unknown) => caught);
      return (error as { code: string }).code;
    });
    await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    const error = { code: -32050, message: 'It is offline.', data: { reason: 'agent_offline', retryable: true } };
    connection.notify('agent.event', { taskId: 'someone-else', error });
    connection.notify('agent.event', { taskId: 'other', error });
    await ended();
    expect(connection.items().at(-2)).toEqual(chunk([{ text: 'agent_offline' }], false));
  });

  it('returns each event once, even if events also arrive on the earlier connection', async () => {
    hub.onRequest = () => ({ result: { task: task('WORKING') } });
    const seen: string[] = [];
    await serving(async (turn) => {
      const onEvent = (event: object) => seen.push(...Object.keys(event));
      return (await turn.agents.send('analyst', 'Hi', { onEvent })).text;
    });
    const { runId, epoch } = await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    connection.notify('agent.event', { taskId: 'other', item: update('one ') });
    await waitFor(() => seen.length === 2, { what: 'the first piece' });
    hub.runs = [{ runId, epoch, seen: 1 }];
    hub.onRequest = () => ({ result: { task: { ...task('WORKING'), artifacts: [answer('one ')] } } });
    const earlier = connection;
    earlier.notify('hub.draining', { reconnectWithinMs: 0 });
    await waitFor(
      () => {
        clock.advance(50);
        return hub.connections.length === 2;
      },
      { what: 'another connection' },
    );
    connection = await hub.connection(2);
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message again' });
    for (const each of [earlier, connection]) each.notify('agent.event', { taskId: 'other', item: update('two') });
    connection.notify('agent.event', { taskId: 'other', item: completed });
    await ended();
    expect(connection.calls('agent.send')).toEqual(earlier.calls('agent.send'));
    expect(connection.items().at(-2)).toEqual(chunk([{ text: 'one two' }], false));
    expect(seen.filter((kind) => kind === 'artifactUpdate')).toHaveLength(2);
  });

  it('is retried if Parley is busy after a reconnection', async () => {
    hub.onRequest = () => ({ result: { task: task('WORKING') } });
    await serving(async (turn) => (await turn.agents.send('analyst', 'Hi')).text);
    const { runId, epoch } = await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    hub.runs = [{ runId, epoch, seen: 1 }];
    const data = { reason: 'rate_limited', retryable: true, retryAfterMs: 2_000 };
    hub.onRequest = () => ({ error: { code: -32050, message: 'Later.', data } });
    connection.cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    clock.advance(1_000);
    connection = await hub.connection(2);
    await waitFor(() => clock.delays.includes(2_000), { what: 'the wait' });
    hub.onRequest = () => ({ result: { task: { ...task('COMPLETED'), artifacts: [answer('done')] } } });
    clock.advance(2_000);
    await ended();
    expect(connection.items()[0]).toEqual(chunk([{ text: 'done' }], false));
  });

  it('is canceled together with the turn that made it', async () => {
    hub.onRequest = () => ({ result: { task: task('WORKING') } });
    await serving(async (turn) => (await turn.agents.send('analyst', 'Hi')).text);
    const ref = await run('Hi');
    await waitFor(() => connection.calls('agent.send').length === 1, { what: 'the message' });
    await connection.request('run.cancel', ref);
    expect((await ended())?.outcome).toBe('canceled');
    await waitFor(() => connection.calls('agent.cancel').length === 1, { what: 'the cancel' });
    expect(connection.calls('agent.cancel')).toEqual([{ taskId: 'other' }]);
  });

  it('throws an error with Parley’s code if Parley rejects it', async () => {
    const data = { reason: 'not_found', retryable: false };
    hub.onRequest = () => ({ error: { code: -32050, message: 'There is no such agent.', data } });
    await serving(async (turn) => {
      const error = await turn.agents.send('nobody', 'Hi').catch((caught: unknown) => caught);
      return (error as { code: string }).code;
    });
    await run('Hi');
    await ended();
    expect(connection.items()[1]).toEqual(chunk([{ text: 'not_found' }], false));
  });
});
