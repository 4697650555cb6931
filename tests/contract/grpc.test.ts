import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { type Client, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message10, type Person, tokenFor } from '../support/fixtures';
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
    parley = await startParley({ env: { GRPC_PORT: String(port), AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
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

  test('a task can be subscribed to, canceled and listed, and its webhooks configured', async () => {
    let finish: () => void = () => undefined;
    agent.answer(({ result, end }) => {
      result(agent03.status('up-1', 'working'));
      finish = () => {
        result(agent03.status('up-1', 'completed', 'done'));
        end();
      };
    });
    const sent = await callGrpc(connection, 'SendMessage', {
      ...message10('hi'),
      configuration: { returnImmediately: true },
    });
    const { id } = sent.response.task as { id: string };
    const first = collectGrpc(streamGrpc(connection, 'SubscribeToTask', { id }));
    const second = collectGrpc(streamGrpc(connection, 'SubscribeToTask', { id, tenant: slug }));
    const url = 'http://127.0.0.1:9/hook';
    const config = await callGrpc(connection, 'CreateTaskPushNotificationConfig', { taskId: id, id: 'c1', url });
    expect(config.response).toMatchObject({ taskId: id, id: 'c1', url });
    const configs = await callGrpc(connection, 'ListTaskPushNotificationConfigs', { taskId: id });
    expect(configs.response.configs).toHaveLength(1);
    const named = { taskId: id, id: 'c1' };
    expect((await callGrpc(connection, 'GetTaskPushNotificationConfig', named)).response).toMatchObject({ url });
    expect((await callGrpc(connection, 'DeleteTaskPushNotificationConfig', named)).response).toEqual({});
    finish();
    const [events, same] = await Promise.all([first, second]);
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(same.at(-1)).toEqual(events.at(-1));
    const page = await callGrpc(connection, 'ListTasks', { pageSize: 1, includeArtifacts: true });
    expect(page.response).toMatchObject({ tasks: [{ id }], pageSize: 1 });
    const finished = await failureOf(callGrpc(connection, 'CancelTask', { id }));
    expect(finished.details[0]).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    const ended = await failureOf(collectGrpc(streamGrpc(connection, 'SubscribeToTask', { id })));
    expect([ended.status, ended.details[0]?.reason]).toEqual(['UNIMPLEMENTED', 'UNSUPPORTED_OPERATION']);
  });

  test('the reflection service describes the methods, also under its older name', async () => {
    for (const version of ['v1', 'v1alpha']) {
      const answers = await reflect(version, [
        { listServices: '' },
        { fileContainingSymbol: `${service}.GetTask` },
        { fileByFilename: 'nope.proto' },
      ]);
      expect(answers[0]).toMatchObject({ listServicesResponse: { service: [{ name: service }] } });
      const described = answers[1] as { fileDescriptorResponse: { fileDescriptorProto: string[] } };
      const { fileDescriptorProto } = described.fileDescriptorResponse;
      const files = fileDescriptorProto.map((text) =>
        fromBinary(FileDescriptorProtoSchema, Buffer.from(text, 'base64')),
      );
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files.reverse() }));
      expect(registry.getService(service)?.methods).toHaveLength(11);
      expect(answers[2]).toMatchObject({ errorResponse: { errorCode: 5 } });
    }
  });

  test('the health service is ready, also for the service of A2A, and knows no other', async () => {
    expect(await health('')).toBe('SERVING');
    expect(await health(service)).toBe('SERVING');
    await expect(health('other')).rejects.toMatchObject({ code: status.NOT_FOUND });
  });

  test('at a restart, streams end so that the client subscribes again, and calls are answered after it', async () => {
    let finish: () => void = () => undefined;
    agent.answer(({ result, end }) => {
      result(agent03.status('up-1', 'working'));
      finish = () => {
        result(agent03.status('up-1', 'completed', 'done'));
        end();
      };
    });
    const stream = streamGrpc(connection, 'SendStreamingMessage', message10('hi'));
    const events = stream[Symbol.asyncIterator]();
    const { value } = await events.next();
    const { id } = (value as { task: { id: string } }).task;
    await events.next();
    const ended = failureOf(events.next().then(() => events.next()));
    await parley.restart();
    expect((await ended).status).toBe('UNAVAILABLE');
    finish();
    const read = await callGrpc(connection, 'GetTask', { id });
    expect(read.response).toMatchObject({ id });
  });

  const service = 'lf.a2a.v1.A2AService';

  /** Asks the reflection service, with messages of its own proto. */
  function reflect(version: string, questions: object[]): Promise<Record<string, unknown>[]> {
    const { Request, Response } = reflectionTypes();
    const call = client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      (value: object) => Buffer.from(Request.encode(Request.fromObject(value)).finish()),
      (bytes) => Response.toObject(Response.decode(bytes), { bytes: String, defaults: false }),
    );
    for (const question of questions) call.write(question);
    call.end();
    return collect(call);
  }

  function health(name: string): Promise<string> {
    const names = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
    const field = Buffer.from([0x0a, name.length, ...Buffer.from(name)]);
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        '/grpc.health.v1.Health/Check',
        (bytes: Buffer) => bytes,
        (bytes) => names[bytes[1] ?? 0] ?? '',
        field,
        (error, answer) => (error ? reject(error) : resolve(answer ?? '')),
      );
    });
  }
});

async function collect(call: AsyncIterable<object>): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for await (const each of call) all.push({ ...each });
  return all;
}

function reflectionTypes(): { Request: protobuf.Type; Response: protobuf.Type } {
  const { root } = protobuf.parse(`syntax = "proto3";
    message Request { oneof r { string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7; } }
    message Response { oneof r { Files file_descriptor_response = 4; Services list_services_response = 6; Failure error_response = 7; } }
    message Files { repeated bytes file_descriptor_proto = 1; }
    message Services { repeated Service service = 1; }
    message Service { string name = 1; }
    message Failure { int32 error_code = 1; string error_message = 2; }`);
  return { Request: root.lookupType('Request'), Response: root.lookupType('Response') };
}
