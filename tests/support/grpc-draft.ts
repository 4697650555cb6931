import { readFileSync } from 'node:fs';
import * as grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import type { GrpcConnection } from './grpc';

// A client of the A2A service with the messages of the draft of 1.1: the official proto of 1.0 with the fields of the
// development branch, read by another library than the server's.

const added: Record<string, string> = {
  SendMessageConfiguration: 'optional int64 if_generation_match = 5; optional int32 timeline_length = 6;',
  Task: 'int64 generation = 7; repeated TimelineEntry timeline = 8;',
  Artifact: 'int64 start_generation = 7; int64 end_generation = 8;',
  TaskStatusUpdateEvent: 'int64 generation = 5;',
  TaskArtifactUpdateEvent: 'int64 generation = 7;',
  GetTaskRequest: 'optional int64 current_generation = 4; optional int32 timeline_length = 5;',
  ListTasksRequest: 'optional int32 timeline_length = 9;',
};
const entry =
  'message TimelineEntry { oneof entry { Message message = 1; TaskStatus status = 2; } int64 generation = 3; }';

function draftRoot(): protobuf.Root {
  const official = readFileSync('lib/protocol/a2a/proto/a2a.proto', 'utf8');
  const text = Object.entries(added).reduce(
    (proto, [name, fields]) => proto.replace(`message ${name} {`, (start) => `${start}\n${fields}`),
    `${official}\n${entry}`,
  );
  const { root } = protobuf.parse(text, new protobuf.Root());
  for (const known of ['struct', 'timestamp', 'empty'])
    root.addJSON(protobuf.common.get(`google/protobuf/${known}.proto`)?.nested ?? {});
  root.resolveAll();
  return root;
}

const root = draftRoot();
const typeOf = (name: string): protobuf.Type => root.lookupType(`lf.a2a.v1.${name}`);
const json = { longs: String, enums: String, arrays: true, oneofs: false };

interface Rpc {
  name: string;
  request: string;
  response: string;
}

function serviceMethod({ name, request, response }: Rpc) {
  return {
    path: `/lf.a2a.v1.A2AService/${name}`,
    encode: (value: object) => Buffer.from(typeOf(request).encode(typeOf(request).fromObject(value)).finish()),
    decode: (bytes: Buffer) => typeOf(response).toObject(typeOf(response).decode(bytes), json),
  };
}

function metadataOf({ token, metadata }: GrpcConnection): grpc.Metadata {
  const all = new grpc.Metadata();
  const values = { 'a2a-version': '1.1', authorization: `Bearer ${token}`, ...metadata };
  for (const [name, value] of Object.entries(values)) all.set(name, value);
  return all;
}

function optionsOf({ deadlineMs }: GrpcConnection): grpc.CallOptions {
  return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}

/** One unary call in A2A 1.1; rejects with the error of the library. */
export function callDraft<Result extends object>(
  connection: GrpcConnection,
  rpc: Rpc,
  request: object,
): Promise<Result> {
  const { path, encode, decode } = serviceMethod(rpc);
  return new Promise((resolve, reject) => {
    connection.client.makeUnaryRequest(
      path,
      encode,
      decode,
      request,
      metadataOf(connection),
      optionsOf(connection),
      (error, response) => (error ? reject(error) : resolve(response as Result)),
    );
  });
}

/** The events of a stream in A2A 1.1. */
export async function streamDraft<Event extends object>(
  connection: GrpcConnection,
  rpc: Rpc,
  request: object,
): Promise<Event[]> {
  const { path, encode, decode } = serviceMethod(rpc);
  const events: Event[] = [];
  const call = connection.client.makeServerStreamRequest(path, encode, decode, request, metadataOf(connection));
  for await (const event of call) events.push(event as Event);
  return events;
}

export const draftRpcs = {
  send: { name: 'SendMessage', request: 'SendMessageRequest', response: 'SendMessageResponse' },
  stream: { name: 'SendStreamingMessage', request: 'SendMessageRequest', response: 'StreamResponse' },
  get: { name: 'GetTask', request: 'GetTaskRequest', response: 'Task' },
  cancel: { name: 'CancelTask', request: 'CancelTaskRequest', response: 'Task' },
  subscribe: { name: 'SubscribeToTask', request: 'SubscribeToTaskRequest', response: 'StreamResponse' },
};
