import { AgentCard, GetTaskRequest, SendMessageRequest, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';

// The official JavaScript SDK for 1.0 with cards and responses of A2A 1.1 (draft).

let parley: Parley;
let agent: Awaited<ReturnType<typeof startSdk10Agent>>;
let slug: string;
let token: string;

beforeAll(async () => {
  agent = await startSdk10Agent();
  const port = await freePort();
  parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  const ada = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, ada, { url: agent.url });
  token = await tokenFor(parley.url, ada, slug);
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

interface Interfaces {
  supportedInterfaces: { protocolBinding: string; protocolVersion: string }[];
  signatures?: object[];
}

async function cardIn(version?: string): Promise<Interfaces> {
  const headers: Record<string, string> = { ...(version && { 'a2a-version': version }) };
  const response = await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`, { headers });
  return (await response.json()) as Interfaces;
}

/** A request as if the SDK supported 1.1, whose version its transports set. */
const inDraft: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('a2a-version', '1.1');
  return fetch(input, { ...init, headers });
};
const draftTransports = [
  new JsonRpcTransportFactory({ fetchImpl: inDraft }),
  new RestTransportFactory({ fetchImpl: inDraft }),
];

async function clientOf(version: string | undefined, binding: string, isDraft = false): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new GrpcTransportFactory(), ...(isDraft ? draftTransports : [])],
    preferredTransports: [binding],
  });
  return new ClientFactory(options).createFromAgentCard(AgentCard.fromJSON(await cardIn(version)));
}

function message(text: string): SendMessageRequest {
  return SendMessageRequest.fromJSON({ message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text }] } });
}

const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

describe('a card', () => {
  test.each([undefined, '0.3', '1.0'])('of version %s does not announce 1.1', async (version) => {
    const versions = (await cardIn(version)).supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
    expect(versions).not.toContain('1.1');
  });

  test('of version 1.1 announces only 1.1, and is signed', async () => {
    const { supportedInterfaces, signatures } = await cardIn('1.1');
    expect(supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual(bindings);
    expect(new Set(supportedInterfaces.map(({ protocolVersion }) => protocolVersion))).toEqual(new Set(['1.1']));
    expect(signatures).toHaveLength(1);
  });
});

describe.each(bindings)('a client of the SDK over %s', (binding) => {
  test.each([undefined, '1.0', '1.1'])('with the card of version %s sends, streams and reads', async (version) => {
    const client = await clientOf(version, binding);
    const options = { serviceParameters: { authorization: `Bearer ${token}` } };
    const sent = await client.sendMessage(message('hello'), options);
    const id = 'id' in sent ? sent.id : '';
    expect((await client.getTask(GetTaskRequest.fromJSON({ id }), options)).status?.state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    );
    const kinds = [];
    for await (const event of client.sendMessageStream(message('hello'), options)) kinds.push(event.payload?.$case);
    expect(kinds[0]).toBe('task');
    expect(kinds.at(-1)).toBe('statusUpdate');
  });

  test('reads responses of 1.1', async () => {
    const client = await clientOf('1.0', binding, true);
    const version: Record<string, string> = binding === 'GRPC' ? { 'a2a-version': '1.1' } : {};
    const options = { serviceParameters: { authorization: `Bearer ${token}`, ...version } };
    const sent = await client.sendMessage(message('ask'), options);
    expect('status' in sent && sent.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });
});
