import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HttpTraceView } from '@/lib/chat/schema-thread';
import { newUuid } from '@/lib/platform/ids';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  follow,
  listAgent,
  message03,
  message10,
  post,
  readEvents,
  rpc,
  send,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: Awaited<ReturnType<typeof startSdk10Agent>>;
let connection: Connection;
let slug: string;
let ada: Awaited<ReturnType<typeof createPerson>>;

describe('an agent whose card has only a gRPC interface', () => {
  beforeAll(async () => {
    agent = await startSdk10Agent({ binding: 'GRPC', extended: true });
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    connection = await connectTo(parley.url, ada, slug);
  });

  afterAll(() => agent?.stop());

  beforeEach(() => {
    agent.metadata.length = 0;
  });

  test('is called, with a token of its own, the version and the extensions', async () => {
    const { body } = await rpc(connection, 'SendMessage', message10('hello'));
    const task = (body.result as { task: { artifacts: { parts: { text: string }[] }[] } }).task;
    expect(task.artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe('hello');
    const metadata = agent.metadata[0]?.getMap() ?? {};
    expect(metadata).toMatchObject({ 'a2a-version': '1.0', via: '2.0 parley' });
    expect(metadata.authorization).toMatch(/^Bearer ey/);
    expect(metadata.authorization).not.toContain(connection.token);
  });

  test('streams its events to a caller of A2A 0.3', async () => {
    const params = message03('hello');
    const events = await readEvents(
      await post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params }),
    );
    const kinds = events.map(({ data }) => (data as { result: { kind: string } }).result.kind);
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
  });

  test('asks, and continues the same task', async () => {
    const { body } = await rpc(connection, 'SendMessage', message10('ask'));
    const { task } = body.result as { task: { id: string; status: { state: string } } };
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answer = await rpc(connection, 'SendMessage', message10('it', { taskId: task.id }));
    expect(answer.body.result).toMatchObject({ task: { id: task.id, status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('is canceled', async () => {
    const running = follow(
      post(connection, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('wait') }),
    );
    const first = await waitFor(() => running.seen[1] && running.seen[0], { what: 'the task' });
    const { id } = (first as { data: { result: { task: { id: string } } } }).data.result.task;
    const { body } = await rpc(connection, 'CancelTask', { id });
    expect(body.result).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
    await running.ended;
  });

  test('returns its extended card', async () => {
    const { body } = await rpc(connection, 'GetExtendedAgentCard', {});
    const { skills } = body.result as { skills: { id: string }[] };
    expect(skills.map(({ id }) => id)).toContain('inside');
  });

  test('has its exchanges in the inspector, with messages as JSON and without secrets', async () => {
    const said = await send(`${parley.url}/api/chat/messages`, {
      body: { agentSlug: slug, messageId: newUuid(), text: 'hello' },
      cookie: ada.cookie,
      origin: parley.url,
    });
    const { conversationId, taskId } = (await said.json()) as { conversationId: string; taskId: string };
    const exchange = await waitFor(
      async () => {
        const address = `${parley.url}/api/chat/tasks/${taskId}/wire?conversation=${conversationId}`;
        const { exchanges } = (await (await send(address, { cookie: ada.cookie })).json()) as HttpTraceView;
        return exchanges[0];
      },
      { what: 'the exchange' },
    );
    expect(exchange).toMatchObject({
      method: 'SendStreamingMessage',
      dialect: '1.0 GRPC',
      request: { headers: { authorization: '[secret]' } },
      answer: { status: 200, headers: { 'content-type': 'application/grpc+proto' } },
      failure: null,
    });
    expect(JSON.parse(exchange?.request.body ?? '')).toMatchObject({ message: { parts: [{ text: 'hello' }] } });
    const kinds = exchange?.answer?.events.map(({ text }) => Object.keys(JSON.parse(text) as object)[0]);
    expect(kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
  });
});
