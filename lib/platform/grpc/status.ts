import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { createMessageCodec } from './message-codec';

/** The names of gRPC status codes (`google.rpc.Code`) by number. */
const codeNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

export type StatusName = (typeof codeNames)[number];

/** Returns the number of a status code. */
export function statusCodeOf(name: StatusName): number {
  return codeNames.indexOf(name);
}

/** Returns the name of a status code; `UNKNOWN` for any other number. */
function statusNameOf(code: number): StatusName {
  return codeNames[code] ?? 'UNKNOWN';
}

/** The end of a call that failed. `details` are messages in JSON with `@type`. */
export interface GrpcStatus {
  name: StatusName;
  message: string;
  details: JsonObject[];
}

const codec = createMessageCodec({
  Status: [
    [1, 'code', 'int32'],
    [2, 'message', 'string'],
    [3, 'details', 'Any', 'repeated'],
  ],
  Any: [
    [1, '@type', 'string'],
    [2, 'value', 'bytes'],
  ],
  ErrorInfo: [
    [1, 'reason', 'string'],
    [2, 'domain', 'string'],
    [3, 'metadata', 'map:string'],
  ],
  BadRequest: [[1, 'fieldViolations', 'FieldViolation', 'repeated']],
  FieldViolation: [
    [1, 'field', 'string'],
    [2, 'description', 'string'],
  ],
  RetryInfo: [[1, 'retryDelay', 'Duration']],
  Duration: [[1, 'seconds', 'int32']],
});

const detailTypes = ['ErrorInfo', 'BadRequest', 'RetryInfo'] as const;
const TYPE_PREFIX = 'type.googleapis.com/google.rpc.';
/** Maximum size of the details in trailers, bytes, because clients limit the size of headers to 8 KiB. */
const MAX_DETAILS_BYTES = 4_096;
const MAX_MESSAGE_CHARS = 1_024;

/** Returns the trailers of a status: `grpc-status`, `grpc-message`, and, if it has details, `grpc-status-details-bin`. */
export function statusTrailers({ name, message, details }: GrpcStatus): Record<string, string> {
  const code = statusCodeOf(name);
  const text = message.slice(0, MAX_MESSAGE_CHARS);
  const trailers = { 'grpc-status': String(code), 'grpc-message': encodeMessage(text) };
  if (details.length === 0) return trailers;
  // The first detail is the reason; long lists of violations are left out.
  for (const kept of [details, details.slice(0, 1)]) {
    const bytes = codec.encode('Status', { code, message: text, details: kept.flatMap(packDetail) });
    if (bytes.length <= MAX_DETAILS_BYTES) return { ...trailers, 'grpc-status-details-bin': toBinaryHeader(bytes) };
  }
  return trailers;
}

function packDetail(detail: JsonObject): JsonObject[] {
  const type = detailTypes.find((name) => detail['@type'] === TYPE_PREFIX + name);
  if (!type) return [];
  return [{ '@type': TYPE_PREFIX + type, value: codec.encode(type, detail).toString('base64') }];
}

/** Returns the status in the trailers of a response; null if they contain none. Unreadable details are ignored. */
export function readStatus(trailers: Record<string, string>): GrpcStatus | null {
  const code = trailers['grpc-status'];
  if (code === undefined) return null;
  const name = statusNameOf(Number(code));
  return { name, message: decodeMessage(trailers['grpc-message'] ?? ''), details: readDetails(trailers) };
}

function readDetails(trailers: Record<string, string>): JsonObject[] {
  const header = trailers['grpc-status-details-bin'];
  if (header === undefined) return [];
  try {
    const { details } = codec.decode('Status', Buffer.from(header, 'base64'));
    return Array.isArray(details) ? details.flatMap(unpackDetail) : [];
  } catch {
    return [];
  }
}

function unpackDetail(any: JsonValue): JsonObject[] {
  if (!isObject(any) || typeof any.value !== 'string') return [];
  const type = detailTypes.find((name) => any['@type'] === TYPE_PREFIX + name);
  return type ? [{ '@type': TYPE_PREFIX + type, ...codec.decode(type, Buffer.from(any.value, 'base64')) }] : [];
}

/** Returns the value of a `-bin` header: base64 without padding. */
function toBinaryHeader(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Percent-encodes a status message: all bytes except printable ASCII without `%`. */
function encodeMessage(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]+/gu, (part) =>
      [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    );
}

function decodeMessage(text: string): string {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const unitMs: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000_001 };

/** Returns the milliseconds of a `grpc-timeout` header; null if it is malformed. */
export function parseTimeout(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * (unitMs[unit] ?? 1);
}

/** Returns a `grpc-timeout` header, which has at most eight digits. */
export function formatTimeout(ms: number): string {
  return ms < 100_000_000 ? `${Math.ceil(ms)}m` : `${Math.ceil(ms / 1_000)}S`;
}
