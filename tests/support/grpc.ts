import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import * as grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { a2aDescriptors } from '@/lib/protocol/a2a/proto/a2a-descriptors';

// A client of the A2A service that shares no code with the server: gRPC by @grpc/grpc-js, messages by @bufbuild/protobuf.

const files = Object.values(a2aDescriptors).map((text) =>
  fromBinary(FileDescriptorProtoSchema, Buffer.from(text, 'base64')),
);
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files.reverse() }));

/** The descriptor of a message of A2A. */
function messageType(name: string): DescMessage {
  const found = registry.getMessage(name.includes('.') ? name : `lf.a2a.v1.${name}`);
  if (!found) throw new Error(`no message ${name}`);
  return found;
}

/** The encoding of a message's JSON. */
export function encodeMessage(name: string, json: object): Buffer {
  return Buffer.from(toBinary(messageType(name), fromJson(messageType(name), json as never, { registry })));
}

/** The JSON of an encoded message. */
export function decodeMessage(name: string, bytes: Uint8Array): object {
  return toJson(messageType(name), fromBinary(messageType(name), bytes), { registry }) as object;
}

const service = registry.getService('lf.a2a.v1.A2AService');

export interface GrpcConnection {
  client: grpc.Client;
  token?: string;
  metadata?: Record<string, string>;
  deadlineMs?: number;
}

export interface GrpcResult {
  response: Record<string, unknown>;
  /** Initial metadata. */
  headers: grpc.Metadata;
}

/** The failure of a call, with the details of its `google.rpc.Status`. */
export class GrpcFailure extends Error {
  readonly status: string;
  readonly metadata: grpc.Metadata;

  constructor(
    { code, details: text, metadata }: grpc.ServiceError,
    readonly details: Record<string, unknown>[],
  ) {
    super(text);
    this.status = grpc.status[code] ?? '';
    this.metadata = metadata;
  }
}

/** A client; without TLS unless credentials are given. */
export function grpcClient(address: string, channel = grpc.credentials.createInsecure()): grpc.Client {
  return new grpc.Client(address, channel);
}

function methodOf(name: string): { path: string; encode: (json: object) => Buffer; decode: (bytes: Buffer) => object } {
  const method = service?.methods.find((each) => each.name === name);
  if (!method) throw new Error(`no method ${name}`);
  return {
    path: `/lf.a2a.v1.A2AService/${name}`,
    encode: (json) => encodeMessage(method.input.typeName, json),
    decode: (bytes) => decodeMessage(method.output.typeName, bytes),
  };
}

function callOptionsOf({ deadlineMs }: GrpcConnection): grpc.CallOptions {
  return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}

function metadataOf({ token, metadata }: GrpcConnection): grpc.Metadata {
  const all = new grpc.Metadata();
  all.set('a2a-version', '1.0');
  if (token) all.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(metadata ?? {})) all.set(name, value);
  return all;
}

/** One unary call; rejects with a {@link GrpcFailure}. */
export function callGrpc(connection: GrpcConnection, name: string, request: object): Promise<GrpcResult> {
  const { path, encode, decode } = methodOf(name);
  return new Promise((resolve, reject) => {
    let headers = new grpc.Metadata();
    const call = connection.client.makeUnaryRequest(
      path,
      encode,
      decode,
      request,
      metadataOf(connection),
      callOptionsOf(connection),
      (error, response) =>
        error ? reject(toFailure(error)) : resolve({ response: response as Record<string, unknown>, headers }),
    );
    call.on('metadata', (received: grpc.Metadata) => {
      headers = received;
    });
  });
}

export interface GrpcEvents extends AsyncIterable<Record<string, Record<string, unknown>>> {
  call: grpc.ClientReadableStream<object>;
}

/** One server stream; iterating it throws a {@link GrpcFailure}. */
export function streamGrpc(connection: GrpcConnection, name: string, request: object): GrpcEvents {
  const { path, encode, decode } = methodOf(name);
  const metadata = metadataOf(connection);
  const call = connection.client.makeServerStreamRequest(
    path,
    encode,
    decode,
    request,
    metadata,
    callOptionsOf(connection),
  );
  return {
    call,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const event of call) yield event;
      } catch (error) {
        throw toFailure(error as grpc.ServiceError);
      }
    },
  };
}

/** All events of a stream. */
export async function collectGrpc(events: GrpcEvents): Promise<Record<string, Record<string, unknown>>[]> {
  const all: Record<string, Record<string, unknown>>[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const { root } = protobuf.parse(
  `syntax = "proto3"; package google.rpc;
   message Any { string type_url = 1; bytes value = 2; }
   message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
   message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
   message BadRequest { repeated FieldViolation field_violations = 1; }
   message FieldViolation { string field = 1; string description = 2; }`,
  { keepCase: true },
);

function toFailure(error: grpc.ServiceError): Error {
  if (error.code === undefined) return error;
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const details = Buffer.isBuffer(bytes) ? detailsOf(bytes) : [];
  return new GrpcFailure(error, details);
}

function detailsOf(bytes: Buffer): Record<string, unknown>[] {
  const status = root.lookupType('google.rpc.Status');
  const { details = [] } = status.toObject(status.decode(bytes)) as { details?: { type_url: string; value: Buffer }[] };
  return details.map(({ type_url: url, value }) => {
    const type = root.lookupType(url.split('/').at(-1) ?? '');
    return { '@type': url, ...type.toObject(type.decode(value)) };
  });
}

/** Awaits the failure of a call. */
export async function failureOf(call: Promise<unknown>): Promise<GrpcFailure> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GrpcFailure) return error;
  throw error ?? new Error('the call succeeded');
}
