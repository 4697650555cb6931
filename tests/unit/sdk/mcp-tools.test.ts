import {
  answerMcpTurn,
  cardOfTools,
  initialize,
  listTools,
  McpError,
  type McpRequest,
  type McpTransport,
  WaitingCalls,
} from '@parley/agent/mcp';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findFormSource } from '@/lib/protocol/forms/form';
import { readForm } from '@/lib/protocol/forms/read-form';
import type { JsonObject } from '@/lib/protocol/json';

/** The converter of MCP servers, with a transport that answers from a script. */
type Message = Record<string, unknown>;

class Script implements McpTransport {
  readonly sent: Message[] = [];
  constructor(private readonly answers: (request: McpRequest) => Message[]) {}

  async *request(message: McpRequest): AsyncGenerator<Message> {
    this.sent.push(message);
    for (const answer of this.answers(message)) yield 'id' in answer ? answer : { id: message.id, ...answer };
  }

  async send(message: Message): Promise<void> {
    this.sent.push(message);
  }
}

const { signal } = new AbortController();
const info = {
  protocolVersion: '2025-11-25',
  name: 's',
  title: 'Server',
  version: '1',
  announcesTools: false,
  hasResources: false,
};
const readTools = (tools: unknown[]) => listTools(new Script(() => [{ result: { tools } }]), { signal });

function waitingCalls(): { waiting: WaitingCalls; expire: () => void } {
  const timers = new Set<() => void>();
  const waiting = new WaitingCalls((callback) => {
    timers.add(callback);
    return () => timers.delete(callback);
  });
  return { waiting, expire: () => [...timers].forEach((callback) => void callback()) };
}

/** The states and texts of a turn with these parts. */
async function turn(
  parts: object[],
  {
    tools,
    answers,
    waiting = waitingCalls().waiting,
    transport,
  }: {
    tools: unknown[];
    answers?: (request: McpRequest) => Message[];
    waiting?: WaitingCalls;
    transport?: Script;
  },
) {
  const used = transport ?? new Script(answers ?? (() => []));
  const events: Message[] = [];
  const ids = { taskId: 't', contextId: 'c' };
  for await (const event of answerMcpTurn(
    { ...ids, parts, history: [], signal },
    { tools: await readTools(tools), transport: used, waiting },
  ))
    events.push(event as never);
  return {
    events: events as object as {
      statusUpdate?: { status: { state: string; message?: { parts: { data?: JsonObject; text?: string }[] } } };
    }[],
    transport: used,
  };
}

const lastOf = ({ events }: Awaited<ReturnType<typeof turn>>) => events.at(-1)?.statusUpdate?.status;

describe('the start of a session', () => {
  test('fails with the server’s reason, and for a revision that is unknown here', async () => {
    const client = { name: 't', version: '1' };
    const start = (answer: Message) => initialize(new Script(() => [answer]), { signal, client });
    await expect(start({ error: { code: -32600, message: 'no' } })).rejects.toThrow(
      'The MCP server returned an error: no',
    );
    await expect(start({ result: { protocolVersion: '1999-01-01' } })).rejects.toThrow('revision 1999-01-01');
    await expect(start({ result: 7 })).rejects.toThrow(McpError);
    await expect(initialize(new Script(() => []), { signal, client })).rejects.toThrow('ended the connection');
  });

  test('ends a list whose pages never end', async () => {
    let page = 0;
    const tools = await listTools(
      new Script(() => {
        page += 1;
        return [{ result: { tools: [{ name: `t${page}` }], nextCursor: String(page) } }];
      }),
      { signal },
    );
    expect(tools).toHaveLength(100);
    const same = await listTools(new Script(() => [{ result: { tools: [], nextCursor: 'x' } }]), { signal });
    expect(same).toEqual([]);
  });
});

describe('any list of tools', () => {
  test('gives a card of bounded size, with unique ids that forms return unchanged', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', 'a b', 'a-b', '__proto__', 'x'.repeat(200)),
    );
    const tool = fc.record({ name, title: fc.string(), description: fc.string(), inputSchema: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tool, fc.jsonValue()), { maxLength: 30 }), async (listed) => {
        const tools = await readTools(listed);
        const ids = tools.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^[\w.:/-]{1,64}$/);
        expect(JSON.stringify(cardOfTools(info, tools)).length).toBeLessThan(500_000);
      }),
    );
  });
});

describe('the form of a tool', () => {
  test('is read by Parley with the references of its schema, and its answer is the typed call', async () => {
    const inputSchema = {
      type: 'object',
      properties: { place: { $ref: '#/$defs/place' }, again: { $ref: '#/properties/place' } },
      required: ['place'],
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    };
    const asked = lastOf(await turn([{ data: { tool: 'go' } }], { tools: [{ name: 'go', title: 'Go', inputSchema }] }));
    const data = asked?.message?.parts[0]?.data ?? {};
    const { form } = readForm(findFormSource({ data }, true) ?? ({} as never));
    expect(form?.fields.map(({ key, kind, label, group }) => [key, kind, label, group])).toEqual([
      ['tool', 'fixed', 'Tool', ''],
      ['arguments/place/city', 'text', 'City', 'Go › Place'],
      ['arguments/again/city', 'text', 'City', 'Go › Again'],
    ]);
  });
});

describe('a question of the server', () => {
  const question = {
    method: 'elicitation/create',
    id: 'q',
    params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
  };
  const answers = ({ method }: McpRequest): Message[] =>
    method === 'tools/call' ? [question, { result: { content: [] } }] : [];

  test('that nobody answers is canceled, and its call with it', async () => {
    const { waiting, expire } = waitingCalls();
    const { transport } = await turn([{ data: { tool: 'go' } }], { tools: [{ name: 'go' }], answers, waiting });
    expire();
    await expect
      .poll(() => transport.sent.map(({ method, result }) => method ?? result))
      .toEqual(['tools/call', { action: 'cancel' }, 'notifications/cancelled']);
    expect(waiting.peek('t')).toBeNull();
  });

  test('that is answered with words that are no value is asked again', async () => {
    const { waiting } = waitingCalls();
    const first = await turn([{ data: { tool: 'go' } }], { tools: [{ name: 'go' }], answers, waiting });
    const second = await turn([{ text: 'perhaps' }], { tools: [{ name: 'go' }], waiting, transport: first.transport });
    expect(lastOf(second)?.message?.parts[0]?.data?.message).toContain('Please answer in the form.');
    const third = await turn([{ data: {} }], { tools: [{ name: 'go' }], waiting, transport: first.transport });
    expect(lastOf(third)?.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('AUZ-1: calls that wait for answers', () => {
  const asking = (): { transport: Script; call: Parameters<WaitingCalls['add']>[1] } => {
    const transport = new Script(() => []);
    async function* events(): AsyncGenerator<never> {}
    const tool = { id: 'go' } as never;
    const controller = new AbortController();
    return { transport, call: { tool, args: {}, transport, events: events(), controller, id: 1, question: {} } };
  };

  test('of one caller are at most ten: the oldest of them is canceled, and no other caller’s', () => {
    const { waiting } = waitingCalls();
    waiting.add('of-another', asking().call, { agent: 'a', caller: 'other' });
    for (let at = 0; at < 11; at += 1)
      expect(waiting.add(`t${at}`, asking().call, { agent: 'a', caller: 'one' })).toBe(true);
    expect([waiting.peek('t0'), waiting.peek('t1'), waiting.peek('of-another')]).toEqual([
      null,
      expect.anything(),
      expect.anything(),
    ]);
  });

  test('of one agent and in all are limited: one more is rejected, and none is canceled', () => {
    const { waiting } = waitingCalls();
    const transports: Script[] = [];
    const add = (agent: string, caller: string): boolean => {
      const { transport, call } = asking();
      transports.push(transport);
      return waiting.add(`${agent} ${caller}`, call, { agent, caller });
    };
    for (const agent of ['a', 'b', 'c', 'd', 'e']) {
      for (let at = 0; at < 100; at += 1) expect(add(agent, String(at))).toBe(true);
      expect(add(agent, 'more')).toBe(false);
    }
    expect(add('f', 'first')).toBe(false);
    expect(transports.flatMap(({ sent }) => sent)).toEqual([]);
  });

  test('that are too many fail with the reason, and the question is canceled', async () => {
    const { waiting } = waitingCalls();
    for (let at = 0; at < 100; at += 1) waiting.add(`t${at}`, asking().call, { agent: '', caller: String(at) });
    const requestedSchema = { type: 'object', properties: {} };
    const answers = () => [{ method: 'elicitation/create', id: 'q', params: { message: '?', requestedSchema } }];
    const tools = [{ name: 'go', inputSchema: { type: 'object', properties: {} } }];
    const finished = await turn([{ data: { tool: 'go' } }], { tools, answers, waiting });
    const ended = lastOf(finished);
    expect(finished.transport.sent).toContainEqual({ jsonrpc: '2.0', id: 'q', result: { action: 'cancel' } });
    expect([ended?.state, ended?.message?.parts[0]?.text]).toEqual([
      'TASK_STATE_FAILED',
      'Too many calls of this agent wait for answers. Call the tool again later.',
    ]);
  });
});
