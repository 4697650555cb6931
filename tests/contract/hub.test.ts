import { beforeAll, describe, expect, test } from 'vitest';
import { message10, post, readEvents, rpc } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { comeAndGo, type HubAgent, listHubAgent, setCallLimits } from './hub-fixture';

interface TaskView {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
  metadata?: Record<string, unknown>;
}

let parley: SharedParley;

beforeAll(async () => {
  parley = await sharedParley();
});

async function send(agent: HubAgent, text: string, extra: object = {}): Promise<TaskView> {
  const { body } = await rpc(agent.caller, 'SendMessage', message10(text, extra));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return (body.result as { task: TaskView }).task;
}

function textOf({ artifacts = [] }: TaskView): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');
}

describe('an agent that connects to Parley', () => {
  test('is called in every dialect through its worker', async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    worker.onStart = (run) => {
      run.piece(`You said ${run.text}`);
      run.status('COMPLETED');
    };
    const task = await send(agent, 'hello');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOf(task)).toBe('You said hello');
    const old = await rpc(agent.caller, 'message/send', {
      message: {
        kind: 'message',
        messageId: crypto.randomUUID(),
        role: 'user',
        parts: [{ kind: 'text', text: 'again' }],
      },
    });
    expect(old.body.result).toMatchObject({ status: { state: 'completed' } });
    await worker.close();
  });

  test('streams each chunk to the caller as the worker sends it', async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    worker.onStart = (run) => {
      for (let at = 0; at < 50; at++) run.piece(`${at};`);
      run.status('COMPLETED');
    };
    const events = await readEvents(
      await post(agent.caller, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('count') }),
    );
    const texts = events.flatMap(({ data }) => {
      const { result } = data as { result: { artifactUpdate?: { artifact: { parts: { text: string }[] } } } };
      return result.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [];
    });
    expect(texts.join('')).toBe(Array.from({ length: 50 }, (_, at) => `${at};`).join(''));
    await waitFor(() => worker.frames('run.ack').at(-1)?.params?.n === 51, { what: 'the last acknowledgment' });
    await worker.close();
  });

  test('asks a question and receives the reply as a new run of the same task', async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    worker.onStart = (run) => {
      if (run.text === 'Berlin') {
        run.piece('It rains in Berlin.');
        run.status('COMPLETED');
      } else run.status('INPUT_REQUIRED', 'Where?');
    };
    const asked = await send(agent, 'weather');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = await send(agent, 'Berlin', { taskId: asked.id });
    expect(done.id).toBe(asked.id);
    expect(textOf(done)).toBe('It rains in Berlin.');
    expect(new Set(worker.offers.map(({ task }) => task.id)).size).toBe(1);
    await worker.close();
  });

  test('starts a run once for each message, after it has accepted the offer', async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    const order: string[] = [];
    worker.answer = () => {
      order.push('offered');
      return { accept: true };
    };
    worker.onStart = (run) => {
      order.push('started');
      run.status('COMPLETED', 'done');
    };
    await send(agent, 'once');
    expect(order).toEqual(['offered', 'started']);
    await worker.close();
  });

  test('rejects a message immediately if it has never connected', async () => {
    const agent = await listHubAgent(parley);
    const { body } = await rpc(agent.caller, 'SendMessage', message10('anyone?'));
    expect(body.error?.message).toContain('never been online');
  });

  test('is online as soon as a worker is recorded, before this node receives the notification', async () => {
    const agent = await listHubAgent(parley);
    expect((await rpc(agent.caller, 'SendMessage', message10('anyone?'))).body.error).toBeDefined();
    await query(
      'test-connect-elsewhere',
      `WITH known AS (INSERT INTO hub_agent (agent_id, first_connected_at, last_connected_at)
         SELECT id, now(), now() FROM agent WHERE slug = $1 RETURNING agent_id)
       INSERT INTO hub_worker (id, agent_id, node, capacity, version, connected_at)
       SELECT gen_random_uuid(), agent_id, 'another-node', 1, 'test', now() FROM known`,
      [agent.slug],
    );
    const configuration = { returnImmediately: true };
    const { body } = await rpc(agent.caller, 'SendMessage', { ...message10('and now?'), configuration });
    expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } });
  });

  test('queues a task while it is offline, and runs it when a worker connects', async () => {
    const agent = await listHubAgent(parley);
    await comeAndGo(agent);
    const sending = send(agent, 'wait for it');
    await waitFor(
      async () => {
        const { body } = await rpc(agent.caller, 'ListTasks', {});
        const [task] = (body.result as { tasks: TaskView[] }).tasks;
        return task?.status.state === 'TASK_STATE_SUBMITTED' && task.status.message?.parts[0]?.text.includes('online');
      },
      { what: 'the task to wait' },
    );
    const worker = await agent.worker();
    worker.onStart = (run) => run.status('COMPLETED', 'here I am');
    expect((await sending).status.state).toBe('TASK_STATE_COMPLETED');
    await worker.close();
  });

  test('rejects a message as offline if no worker connects in time', async () => {
    const agent = await listHubAgent(parley);
    await comeAndGo(agent);
    await setCallLimits(parley, agent, { queueSeconds: 1 });
    const { body } = await rpc(agent.caller, 'SendMessage', message10('anyone?'));
    expect(JSON.stringify(body)).toContain('offline');
  });

  test('rejects a message before any data is written if it is offline and has no queue', async () => {
    const agent = await listHubAgent(parley);
    await comeAndGo(agent);
    await setCallLimits(parley, agent, { queueSeconds: 0 });
    const { body } = await rpc(agent.caller, 'SendMessage', message10('anyone?'));
    expect(body.error?.message).toContain('offline');
    const listed = await rpc(agent.caller, 'ListTasks', {});
    expect((listed.body.result as { tasks: TaskView[] }).tasks).toEqual([]);
  });
});

describe('several workers', () => {
  test('share runs, and never receive more than their capacity', async () => {
    const agent = await listHubAgent(parley);
    const workers = [await agent.worker(), await agent.worker()];
    const most = [0, 0];
    const counts = [0, 0];
    for (const [index, worker] of workers.entries()) {
      let open = 0;
      worker.onStart = (run) => {
        open += 1;
        most[index] = Math.max(most[index] ?? 0, open);
        counts[index] = (counts[index] ?? 0) + 1;
        setTimeout(() => {
          open -= 1;
          run.status('COMPLETED', 'ok');
        }, 2);
      };
    }
    const tasks = await Promise.all(Array.from({ length: 60 }, (_, at) => send(agent, `task ${at}`)));
    expect(tasks.every(({ status }) => status.state === 'TASK_STATE_COMPLETED')).toBe(true);
    expect(most).toEqual([1, 1]);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    await Promise.all(workers.map((worker) => worker.close()));
  });

  test('receive no more offers once they drain', async () => {
    const agent = await listHubAgent(parley);
    const leaving = await agent.worker({ capacity: 10 });
    const staying = await agent.worker({ capacity: 10 });
    for (const worker of [leaving, staying]) worker.onStart = (run) => run.status('COMPLETED', 'ok');
    leaving.notify('worker.state', { draining: true });
    await leaving.request('run.release', { runId: `${crypto.randomUUID()}:2`, epoch: 1 });
    await Promise.all(Array.from({ length: 10 }, () => send(agent, 'hi')));
    expect(leaving.offers).toEqual([]);
    expect(staying.offers).toHaveLength(10);
    await Promise.all([leaving.close(), staying.close()]);
  });
});

describe('a worker that disconnects', () => {
  test('before it accepts a run is replaced by another worker, once', async () => {
    const agent = await listHubAgent(parley);
    const first = await agent.worker();
    first.answer = null;
    const sending = send(agent, 'hello');
    await waitFor(() => first.offers.length > 0, { what: 'the offer' });
    const second = await agent.worker();
    second.onStart = (run) => run.status('COMPLETED', 'ok');
    await first.close();
    expect((await sending).status.state).toBe('TASK_STATE_COMPLETED');
    expect(first.started).toEqual([]);
    expect(second.started).toHaveLength(1);
    await second.close();
  });

  test('after it begins a run fails the task with worker_lost by default', async () => {
    const agent = await listHubAgent(parley);
    const worker = await agent.worker();
    worker.onStart = (run) => {
      run.piece('half');
      setTimeout(() => void worker.close(), 50);
    };
    const task = await send(agent, 'hello');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(textOf(task)).toBe('half');
    expect(JSON.stringify(task)).toContain('did not reconnect');
  });

  test('after it begins a run has the run restarted once if the worker permits restarts', async () => {
    const agent = await listHubAgent(parley);
    const dying = await agent.worker({ redelivery: 'safe' });
    dying.onStart = () => setTimeout(() => void dying.close(), 20);
    const sending = send(agent, 'hello');
    await waitFor(() => dying.closed, { what: 'the worker to die' });
    const other = await agent.worker({ redelivery: 'safe' });
    other.onStart = (run) => run.status('COMPLETED', 'second try');
    expect((await sending).status.state).toBe('TASK_STATE_COMPLETED');
    expect(other.offers.map(({ attempt }) => attempt)).toEqual([2]);
    await other.close();
  });

  test('continues at its position if it reconnects within the grace period', async () => {
    const agent = await listHubAgent(parley);
    const first = await agent.worker();
    first.onStart = (run) => {
      run.piece('one;');
      run.piece('two;');
    };
    const sending = send(agent, 'count');
    await waitFor(() => first.frames('run.ack').some(({ params }) => params?.n === 2), { what: 'the acknowledgment' });
    const [runId = ''] = first.started;
    const run = first.run(runId);
    await first.close();
    const runs = [{ runId, epoch: run.offer.epoch, sent: 2 }];
    const again = await agent.worker({ workerId: first.workerId, runs });
    again.adopt(run);
    expect(again.hello?.result?.runs).toEqual([{ runId, epoch: run.offer.epoch, seen: 2 }]);
    run.piece('two;', 2);
    run.piece('three;');
    run.status('COMPLETED');
    expect(textOf(await sending)).toBe('one;two;three;');
    expect(again.started).toEqual([]);
    await again.close();
  });
});
