import { GetTaskRequest, ListTasksRequest, Part as Part10, SendMessageRequest, type Task as Task10 } from '@a2a-js/sdk';
import {
  ClientFactory as Factory10,
  ClientFactoryOptions as Options10,
  JsonRpcTransportFactory as Rpc10,
} from '@a2a-js/sdk/client';
import type { Part as Part03, Task as Task03 } from 'a2a-sdk-0-3';
import {
  ClientFactory as Factory03,
  ClientFactoryOptions as Options03,
  JsonRpcTransportFactory as Rpc03,
} from 'a2a-sdk-0-3/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startSdk03Agent } from '../fakes/sdk03-agent';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, type Person, tokenFor } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let person: Person;
const upstreams = new Map<string, { slug: string; stop: () => Promise<void> }>();

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
  for (const [version, start] of [
    ['0.3', startSdk03Agent],
    ['1.0', startSdk10Agent],
  ] as const) {
    const agent = await start();
    upstreams.set(version, { slug: await listAgent(parley.url, person, { url: agent.url }), stop: agent.stop });
  }
});

afterAll(async () => {
  for (const { stop } of upstreams.values()) await stop();
});

/** A fetch that carries the user's token for one agent. */
function fetchWith(token: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
}

async function connectTo(version: string): Promise<{ agentUrl: string; fetchImpl: typeof fetch }> {
  const slug = upstreams.get(version)?.slug ?? '';
  return { agentUrl: `${parley.url}/agents/${slug}`, fetchImpl: fetchWith(await tokenFor(parley.url, person, slug)) };
}

const text10 = (task: Task10): string =>
  task.artifacts
    .flatMap(({ parts }) => parts.map((part) => (Part10.toJSON(part) as { text?: string }).text ?? ''))
    .join('');
const text03 = (task: Task03): string =>
  (task.artifacts ?? [])
    .flatMap(({ parts }) => parts.map((part: Part03) => (part.kind === 'text' ? part.text : '')))
    .join('');

describe.each(['0.3', '1.0'])('an agent on the A2A %s SDK', (version) => {
  describe('called by SDK 1.3.0', () => {
    async function client(): Promise<Awaited<ReturnType<Factory10['createFromUrl']>>> {
      const { agentUrl, fetchImpl } = await connectTo(version);
      const factory = new Factory10(
        Options10.createFrom(Options10.default, { transports: [new Rpc10({ fetchImpl })] }),
      );
      return factory.createFromUrl(`${agentUrl}/`);
    }
    const message = (text: string, extra: object = {}): SendMessageRequest =>
      SendMessageRequest.fromJSON({
        message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text }], ...extra },
      });

    test('responds to send, get and list requests', async () => {
      const caller = await client();
      const task = (await caller.sendMessage(message('hello'))) as Task10;
      expect(text10(task)).toBe('hello');
      const again = await caller.getTask(GetTaskRequest.fromJSON({ id: task.id }));
      expect(text10(again)).toBe('hello');
      const { tasks } = await caller.listTasks(
        ListTasksRequest.fromJSON({ contextId: task.contextId, includeArtifacts: true }),
      );
      expect(tasks.map(({ id }) => id)).toEqual([task.id]);
    });

    test('streams events', async () => {
      const caller = await client();
      const kinds: string[] = [];
      for await (const event of caller.sendMessageStream(message('stream me'))) kinds.push(event.payload?.$case ?? '');
      expect(kinds[0]).toBe('task');
      expect(kinds.filter((kind) => kind === 'artifactUpdate')).toHaveLength(2);
      expect(kinds.at(-1)).toBe('statusUpdate');
    });

    test('accepts the answer to a question on the same task', async () => {
      const caller = await client();
      const asked = (await caller.sendMessage(message('ask'))) as Task10;
      const done = (await caller.sendMessage(
        message('this', { taskId: asked.id, contextId: asked.contextId }),
      )) as Task10;
      expect([done.id, text10(done)]).toEqual([asked.id, 'this']);
    });
  });

  describe('called by SDK 0.3.14', () => {
    async function client(): Promise<Awaited<ReturnType<Factory03['createFromUrl']>>> {
      const { agentUrl, fetchImpl } = await connectTo(version);
      const factory = new Factory03(
        Options03.createFrom(Options03.default, { transports: [new Rpc03({ fetchImpl })] }),
      );
      return factory.createFromUrl(`${agentUrl}/`);
    }
    const message = (text: string, extra: object = {}) => ({
      message: {
        kind: 'message' as const,
        messageId: newUuid(),
        role: 'user' as const,
        parts: [{ kind: 'text' as const, text }],
        ...extra,
      },
    });

    test('responds to send and get requests', async () => {
      const caller = await client();
      const task = (await caller.sendMessage(message('hello'))) as Task03;
      expect(text03(task)).toBe('hello');
      expect(text03(await caller.getTask({ id: task.id }))).toBe('hello');
    });

    test('streams events, and can be resubscribed to until the end', async () => {
      const caller = await client();
      const kinds: string[] = [];
      let id = '';
      for await (const event of caller.sendMessageStream(message('stream me'))) {
        kinds.push(event.kind);
        if (event.kind === 'task') id = event.id;
      }
      expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
      const rest: string[] = [];
      for await (const event of caller.resubscribeTask({ id })) rest.push(event.kind);
      expect(rest).toEqual(['status-update']);
    });

    test('accepts the answer to a question on the same task', async () => {
      const caller = await client();
      const asked = (await caller.sendMessage(message('ask'))) as Task03;
      const done = (await caller.sendMessage(
        message('this', { taskId: asked.id, contextId: asked.contextId }),
      )) as Task03;
      expect([done.id, text03(done)]).toEqual([asked.id, 'this']);
    });
  });
});
