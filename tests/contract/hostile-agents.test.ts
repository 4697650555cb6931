import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  post,
  readEvents,
  rpc,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: ScriptedAgent;
let connection: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Hostile' });
  parley = await sharedParley();
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await agent?.stop();
});

beforeEach(() => {
  agent.received.length = 0;
});

interface Failed {
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts: { parts: { text: string }[] }[];
}

async function sent(text = 'go'): Promise<Failed> {
  const { body } = await rpc(connection, 'message/send', message03(text));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Failed;
}

/** The error of a send whose turn failed before the agent's first event. */
async function refused(): Promise<string> {
  const { body } = await rpc(connection, 'message/send', message03('go'));
  if (!body.error) throw new Error(JSON.stringify(body.result));
  return body.error.message;
}

const reasonOf = ({ status }: Failed): string => status.message?.parts[0]?.text ?? '';
const piecesOf = ({ artifacts }: Failed): string =>
  artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

describe('an agent’s invalid response', () => {
  test.each([
    ['text', 'hello', 'not JSON'],
    ['a truncated object', '{"jsonrpc":"2.0",', 'not JSON'],
    ['JSON 100,000 levels deep', '['.repeat(100_000), 'nested deeper than'],
    ['a result from another protocol', '{"jsonrpc":"2.0","id":"?","result":{"ok":true}}', 'not an A2A result'],
    ['a bare number', '42', 'not an A2A result'],
  ])('%s makes the send fail with the reason', async (_, body, reason) => {
    agent.answer(({ json }) => json(body));
    expect(await refused()).toContain(reason);
  });

  test('RS-7 cannot make Parley follow a redirect', async () => {
    agent.answer(({ response }) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' });
      response.end();
    });
    expect(await refused()).toContain('redirect');
  });

  test('RS-6 cannot pass headers to the caller', async () => {
    agent.answer(({ response, received }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'set-cookie': 'parley=evil',
        'access-control-allow-origin': '*',
        'clear-site-data': '"*"',
        location: 'https://evil.example',
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: received.id, result: agent03.agentMessage('hi') }));
    });
    const { headers } = await rpc(connection, 'message/send', message03('x'));
    for (const name of ['set-cookie', 'access-control-allow-origin', 'clear-site-data', 'location']) {
      expect(headers.get(name), name).toBeNull();
    }
  });

  test('LIM-1 makes the send fail if it is larger than 1 MB', async () => {
    agent.answer(({ json }) => json(`"${'x'.repeat(70 * 1_048_576)}"`));
    expect(await refused()).toContain('larger than');
  });

  test('LIM-4 is rejected if it is compressed', async () => {
    agent.answer(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(Buffer.from([0x1f, 0x8b, 8, 0]));
    });
    expect(await refused()).toContain('compressed');
  });
});

describe('an agent with a hostile stream', () => {
  test('SSE-2 cannot send envelopes with another id or events for another task', async () => {
    agent.answer(({ event, result, end }) => {
      result(agent03.status('h-1', 'working'));
      event({ jsonrpc: '2.0', id: 'someone-else', result: agent03.artifact('h-1', 'forged') });
      result(agent03.artifact('h-2', 'forged too'));
      result(agent03.artifact('h-1', 'true'));
      result(agent03.status('h-1', 'completed'));
      end();
    });
    expect(piecesOf(await sent())).toBe('true');
  });

  test('SSE-2 can end the task only once, and later events are ignored', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.artifact('h-3', 'all'));
      result(agent03.status('h-3', 'completed'));
      result(agent03.artifact('h-3', ' and more', { append: true }));
      result(agent03.status('h-3', 'failed'));
      end();
    });
    const task = await sent();
    expect([task.status.state, piecesOf(task)]).toEqual(['completed', 'all']);
  });

  test('SSE-1 can send text that looks like an event, and it remains text', async () => {
    const text = 'x\n\nevent: done\nid: 99\ndata: {"paid":true}\r\r\u2028\u0000';
    agent.answer(({ result, end }) => {
      result(agent03.artifact('h-4', text));
      result(agent03.status('h-4', 'completed'));
      end();
    });
    const response = await post(connection, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: message03('go'),
    });
    const events = await readEvents(response);
    expect(events.every(({ event }) => event === undefined)).toBe(true);
    expect(events.map(({ id }) => Number(id)).every((id) => id < 10)).toBe(true);
    expect(JSON.stringify(events.map(({ data }) => data))).toContain(JSON.stringify(text).slice(1, -1));
  });

  test('LIM-1 fails the task with an event of more than 1 MB, and earlier output is kept', async () => {
    agent.answer(({ received, response, result }) => {
      // Requests for the task get no response.
      if (received.method !== 'message/stream') return;
      result(agent03.artifact('h-5', 'kept'));
      response.write(`data: ${'x'.repeat(3 * 1_048_576)}`);
    });
    const task = await sent();
    expect([task.status.state, piecesOf(task)]).toEqual(['failed', 'kept']);
  });

  test('fails the task with invalid data in the stream', async () => {
    agent.answer(({ event, result }) => {
      result(agent03.status('h-6', 'working'));
      event('{{{');
    });
    expect((await sent()).status.state).toBe('failed');
  });
});

describe('an agent that disconnects', () => {
  test('during a stream is called again, and the missed output is added byte for byte', async () => {
    let streams = 0;
    agent.answer(({ received, result, json, end, response }) => {
      if (received.method === 'message/stream') {
        result(agent03.status('h-7', 'working'));
        result(agent03.artifact('h-7', 'one '));
        setImmediate(() => response.destroy());
      } else if (received.method === 'tasks/resubscribe') {
        streams += 1;
        result(agent03.task('h-7', 'working', ['one two ']));
        result(agent03.artifact('h-7', 'three', { append: true }));
        result(agent03.status('h-7', 'completed'));
        end();
      } else {
        const done = streams > 0;
        json({
          jsonrpc: '2.0',
          id: received.id,
          result: agent03.task('h-7', done ? 'completed' : 'working', [done ? 'one two three' : 'one two ']),
        });
      }
    });
    const task = await sent();
    expect([task.status.state, piecesOf(task)]).toEqual(['completed', 'one two three']);
    expect(agent.calls('message/stream')).toHaveLength(1);
  });

  test('is asked for the whole task if the output exceeds one response, in both modes', async () => {
    const pieces = Array.from({ length: 20_000 }, (_, index) => `piece ${index} `.padEnd(90, '.'));
    for (const [id, rest] of [
      ['h-10', pieces.slice(0, 10)],
      ['h-11', pieces],
    ] as const) {
      agent.answer(({ received, result, json, end, response }) => {
        if (received.method === 'message/stream') {
          result(agent03.artifact(id, pieces.slice(0, 3).join('')));
          setImmediate(() => response.destroy());
        } else if (received.method === 'tasks/resubscribe') {
          result(agent03.task(id, 'completed', pieces));
          end();
        } else {
          const state = rest === pieces ? 'completed' : 'working';
          json({ jsonrpc: '2.0', id: received.id, result: agent03.task(id, state, [...rest]) });
        }
      });
      const task = await sent();
      expect([reasonOf(task), task.status.state]).toEqual(['', 'completed']);
      expect(piecesOf(task) === pieces.join('')).toBe(true);
    }
  });

  test('and no longer knows the task makes it fail, and earlier output is kept', async () => {
    agent.answer(({ received, result, json, response }) => {
      if (received.method !== 'message/stream')
        return json({ jsonrpc: '2.0', id: received.id, error: { code: -32001, message: 'unknown' } });
      result(agent03.artifact('h-8', 'half'));
      setImmediate(() => response.destroy());
    });
    const task = await sent();
    expect([task.status.state, piecesOf(task)]).toEqual(['failed', 'half']);
    expect(reasonOf(task)).toContain('no longer knows');
  });

  test('before its first event makes the send fail, and the send is not retried', async () => {
    agent.answer(({ response }) => {
      response.destroy();
    });
    await refused();
    expect(agent.received).toHaveLength(1);
  });

  test('SSRF-5 leads to the same error as an agent whose port is closed', async () => {
    agent.answer(({ response }) => {
      response.destroy();
    });
    expect(await refused()).toBe('The agent could not be reached.');
  });
});

test('a task can be canceled even if its agent never responds', async () => {
  agent.answer(({ gone }) => gone);
  const configuration = { blocking: false };
  const { body } = await rpc(connection, 'message/send', { ...message03('go'), configuration });
  const { id } = body.result as { id: string };
  await waitFor(() => agent.received.length === 1, { what: 'the agent to be called' });
  const canceled = await rpc(connection, 'tasks/cancel', { id });
  expect(canceled.body.result).toMatchObject({ status: { state: 'canceled' } });
});

test('an agent’s errors are returned to the caller as errors', async () => {
  agent.answer(({ received, json }) =>
    json({ jsonrpc: '2.0', id: received.id, error: { code: -32005, message: 'no images' } }),
  );
  const { body } = await rpc(connection, 'message/send', message03('x'));
  expect(body.error).toMatchObject({ code: -32005, data: { reason: 'content_type_not_supported' } });
  expect(body.error?.message).toContain('no images');
});

test('RS-10 a failure is shown to the owner in the console, but the caller receives no network details', async () => {
  agent.answer(({ response }) => {
    response.destroy();
  });
  const text = JSON.stringify((await rpc(connection, 'message/send', message03('go'))).body);
  for (const leak of ['ECONN', '127.0.0.1', 'undici', 'stack', agent.url]) expect(text).not.toContain(leak);
  await waitFor(async () => (await parley.output()).includes('agent.call_failed'), { what: 'the failure in the log' });
});
