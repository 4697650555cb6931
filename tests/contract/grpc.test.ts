import type { Client } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message10, type Person, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { callGrpc, collectGrpc, failureOf, type GrpcConnection, grpcClient, streamGrpc } from '../support/grpc';
import { type Parley, startParley } from '../support/parley';

let parley: Parley;
let agent: ScriptedAgent;
let ada: Person;
let slug: string;
let address: string;
let client: Client;
let connection: GrpcConnection;

describe('the gRPC binding:', () => {
  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'gRPC probe' });
    const port = await freePort();
    address = `localhost:${port}`;
    parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: new URL(agent.url).origin } });
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    client = grpcClient(address);
    connection = { client, token: await tokenFor(parley.url, ada, slug) };
  });

  afterAll(async () => {
    client?.close();
    await parley?.stop();
    await agent?.stop();
  });

  function says(...events: object[]): void {
    agent.answer(({ result, end }) => {
      for (const event of events) result(event);
      end();
    });
  }

  test('a send returns the task, and it can be read', async () => {
    says(
      agent03.status('up-1', 'working'),
      agent03.artifact('up-1', 'hello'),
      agent03.status('up-1', 'completed', 'done'),
    );
    const { response } = await callGrpc(connection, 'SendMessage', message10('hi'));
    expect(response).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    const { id } = response.task as { id: string };
    const read = await callGrpc(connection, 'GetTask', { id, tenant: slug });
    expect(read.response).toMatchObject({ id, artifacts: [{ parts: [{ text: 'hello' }] }] });
  });

  test('a stream returns the events in order', async () => {
    says(
      agent03.status('up-1', 'working'),
      agent03.artifact('up-1', 'hello'),
      agent03.status('up-1', 'completed', 'done'),
    );
    const events = await collectGrpc(streamGrpc(connection, 'SendStreamingMessage', message10('hi')));
    expect(events.map((event) => Object.keys(event)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
  });

  test('a missing task is NOT_FOUND with its reason', async () => {
    const failure = await failureOf(callGrpc(connection, 'GetTask', { id: 'nope' }));
    expect(failure.status).toBe('NOT_FOUND');
    expect(failure.details).toEqual([
      expect.objectContaining({ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }),
    ]);
  });
});
