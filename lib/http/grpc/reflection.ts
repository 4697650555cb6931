import { A2A_SERVICE } from '../../platform/grpc/a2a-codec';
import { FRAME_PREFIX_BYTES, withFramePrefix } from '../../platform/grpc/frames';
import { createMessageCodec } from '../../platform/grpc/message-codec';
import { statusCodeOf } from '../../platform/grpc/status';
import { a2aDescriptors } from '../../protocol/a2a/proto/a2a-descriptors';
import { a2aEnums, a2aMessages, a2aRpcs } from '../../protocol/a2a/proto/a2a-messages';
import type { JsonObject } from '../../protocol/json';
import type { Handler, HttpRequest } from '../handler';
import { EventStream } from '../sse';

// grpc.reflection.v1.ServerReflection, with which tools such as grpcurl call the service without its proto. The older
// name v1alpha has the same messages.

const codec = createMessageCodec({
  ServerReflectionRequest: [
    [1, 'host', 'string'],
    [3, 'fileByFilename', 'string', 'oneof:request'],
    [4, 'fileContainingSymbol', 'string', 'oneof:request'],
    [5, 'fileContainingExtension', 'bytes', 'oneof:request'],
    [6, 'allExtensionNumbersOfType', 'string', 'oneof:request'],
    [7, 'listServices', 'string', 'oneof:request'],
  ],
  ServerReflectionResponse: [
    [1, 'validHost', 'string'],
    [2, 'originalRequest', 'ServerReflectionRequest'],
    [4, 'fileDescriptorResponse', 'FileDescriptorResponse'],
    [6, 'listServicesResponse', 'ListServicesResponse'],
    [7, 'errorResponse', 'ErrorResponse'],
  ],
  FileDescriptorResponse: [[1, 'fileDescriptorProto', 'bytes', 'repeated']],
  ListServicesResponse: [[1, 'service', 'ServiceResponse', 'repeated']],
  ServiceResponse: [[1, 'name', 'string']],
  ErrorResponse: [
    [1, 'errorCode', 'int32'],
    [2, 'errorMessage', 'string'],
  ],
});

const descriptors: Record<string, string> = a2aDescriptors;
const MAIN_FILE = 'a2a.proto';

/** The file of each symbol of the well-known types. */
const wellKnownFiles: Record<string, string> = {
  'google.protobuf.Struct': 'google/protobuf/struct.proto',
  'google.protobuf.Value': 'google/protobuf/struct.proto',
  'google.protobuf.ListValue': 'google/protobuf/struct.proto',
  'google.protobuf.NullValue': 'google/protobuf/struct.proto',
  'google.protobuf.Timestamp': 'google/protobuf/timestamp.proto',
  'google.protobuf.Empty': 'google/protobuf/empty.proto',
};

const PACKAGE = A2A_SERVICE.slice(0, A2A_SERVICE.lastIndexOf('.'));
const symbols: ReadonlySet<string> = new Set([
  A2A_SERVICE,
  ...Object.keys(a2aRpcs).map((name) => `${A2A_SERVICE}.${name}`),
  ...[...Object.keys(a2aMessages), ...Object.keys(a2aEnums)].map((name) => `${PACKAGE}.${name}`),
]);

const reflect: Handler = async (request) =>
  EventStream.ofFrames({
    batches: answers(request),
    encode: (answer: JsonObject) => [
      withFramePrefix(codec.encode('ServerReflectionResponse', answer, FRAME_PREFIX_BYTES)),
    ],
    onCancel: () => request.abort?.(),
  });

/** The methods of the reflection service by path. */
export const reflectionMethods: Record<string, Handler> = {
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo': reflect,
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo': reflect,
};

async function* answers({ body }: HttpRequest): AsyncGenerator<JsonObject[]> {
  for await (const message of body ?? []) {
    const question = codec.decode('ServerReflectionRequest', message as Buffer);
    yield [{ validHost: question.host, originalRequest: question, ...answerTo(question) }];
  }
}

function answerTo({ listServices, fileByFilename, fileContainingSymbol }: JsonObject): JsonObject {
  if (listServices !== undefined) return { listServicesResponse: { service: [{ name: A2A_SERVICE }] } };
  const file =
    typeof fileContainingSymbol === 'string' ? fileOfSymbol(fileContainingSymbol) : String(fileByFilename ?? '');
  const files = file === MAIN_FILE ? Object.keys(descriptors) : [file ?? ''];
  const found = files.flatMap((name) => (Object.hasOwn(descriptors, name) ? (descriptors[name] ?? []) : []));
  if (found.length > 0) return { fileDescriptorResponse: { fileDescriptorProto: found } };
  return { errorResponse: { errorCode: statusCodeOf('NOT_FOUND'), errorMessage: 'Unknown file or symbol.' } };
}

function fileOfSymbol(symbol: string): string | undefined {
  return symbols.has(symbol) ? MAIN_FILE : wellKnownFiles[symbol];
}
