import {
  AgentCard,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskState,
} from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';

// The official JavaScript SDK over gRPC at both ends: its client calls Parley, which calls an agent on its server.

let parley: Parley;
let agent: Awaited<ReturnType<typeof startSdk10Agent>>;
let card: AgentCard;
let token: string;
const options = (): { serviceParameters: Record<string, string> } => ({
  serviceParameters: { authorization: `Bearer ${token}`, 'a2a-version': '1.0' },
});

beforeAll(async () => {
  agent = await startSdk10Agent({ binding: 'GRPC' });
  const port = await freePort();
  parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url, 'Ada');
  const slug = await listAgent(parley.url, ada, { url: agent.url });
  token = await tokenFor(parley.url, ada, slug);
  const response = await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`, {
    headers: { 'a2a-version': '1.0', authorization: `Bearer ${token}` },
  });
  card = AgentCard.fromJSON(await response.json());
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

function clientOf(preferred?: string): Promise<Client> {
  const all = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new GrpcTransportFactory()],
    ...(preferred && { preferredTransports: [preferred] }),
  });
  return new ClientFactory(all).createFromAgentCard(card);
}

function message(text: string): SendMessageRequest {
  return SendMessageRequest.fromJSON({ message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text }] } });
}

describe('the card', () => {
  test('offers gRPC after the other bindings, so that a client without it uses another', async () => {
    expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual([
      'JSONRPC',
      'HTTP+JSON',
      'GRPC',
    ]);
    const plain = await new ClientFactory().createFromAgentCard(card);
    expect(plain.transport.protocolName).toBe('JSONRPC');
    expect((await clientOf()).transport.protocolName).toBe('JSONRPC');
  });
});

describe('the gRPC transport of SDK 1.3.0', () => {
  let client: Client;
  beforeAll(async () => {
    client = await clientOf('GRPC');
  });

  test('sends, reads and lists', async () => {
    const sent = await client.sendMessage(message('hello'), options());
    if (!('status' in sent)) throw new Error('a message');
    expect(sent.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await client.getTask(GetTaskRequest.fromJSON({ id: sent.id }), options());
    expect(task.artifacts[0]?.parts.map(({ content }) => content?.value).join('')).toBe('hello');
    const page = await client.listTasks(ListTasksRequest.fromJSON({ pageSize: 1 }), options());
    expect(page.tasks[0]?.id).toBe(sent.id);
  });

  test('streams, and subscribes again', async () => {
    const kinds: (string | undefined)[] = [];
    let id = '';
    for await (const { payload } of client.sendMessageStream(message('ask'), options())) {
      kinds.push(payload?.$case);
      if (payload?.$case === 'task') id = payload.value.id;
    }
    expect(kinds).toEqual(['task', 'statusUpdate']);
    const again = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }), options());
    const { value } = await again.next();
    expect(value?.payload?.$case).toBe('task');
    await again.return(undefined);
  });

  test('receives the typed errors of the SDK', async () => {
    const missing = client.getTask(GetTaskRequest.fromJSON({ id: newUuid() }), options());
    await expect(missing).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });
});
