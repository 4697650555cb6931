import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import {
  createPerson,
  type Line,
  lineTo,
  listAgent,
  message10,
  post,
  readEvents,
  resultOf,
  rpc,
} from '../support/world';

let parley: Parley;
let agent: ScriptedAgent;
let line: Line;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Asking probe' });
  parley = await startParley({ mount: 'server', env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url, 'Ada');
  line = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

/** The agent asks after the first message and completes after the next. */
function asksOnce(taskId: string): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(taskId, received.params.message?.taskId ? 'completed' : 'input-required'));
    end();
  });
}

interface Task10 {
  id: string;
  history: { parts: { text: string }[] }[];
}

async function send(text: string, extra: object = {}): Promise<Task10> {
  const { body } = await rpc(line, 'SendMessage', message10(text, extra));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return (body.result as { task: Task10 }).task;
}

describe('a task that waits for its caller', () => {
  test('is followed by a subscriber of A2A 1.0 to its end (STREAM-SUB-002)', async () => {
    asksOnce('up-waiting');
    const { id } = await send('hi');
    const stream = await post(line, { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
    let answered: Promise<Task10> | undefined;
    const events = await readEvents(stream, () => {
      // The first event has come, so the subscriber is there: now the task goes on.
      answered ??= send('here you are', { taskId: id });
      return false;
    });
    await answered;
    const states = events.map((event) => {
      const { task, statusUpdate } = resultOf<Record<'task' | 'statusUpdate', { status: { state: string } }>>(event);
      return (task ?? statusUpdate).status.state;
    });
    expect([states.at(0), states.at(-1)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
  });

  test('keeps each message of its caller, also those that share an id which is no UUID (CORE-HIST-006)', async () => {
    asksOnce('up-history');
    const { id } = await send('first', { messageId: 'same' });
    const task = await send('second', { messageId: 'same', taskId: id });
    expect(task.history.map(({ parts }) => parts[0]?.text)).toEqual(['first', 'second']);
  });
});
