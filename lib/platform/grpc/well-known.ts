import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { ParleyError } from '../errors';
import { WIRE, type WireReader } from './wire-reader';
import type { WireWriter } from './wire-writer';

// google.protobuf.Struct, Value, ListValue and Timestamp, in their JSON form.

const ENTRY_KEY = 1;
const ENTRY_VALUE = 2;
const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;

const tagOf = (number: number, wireType: number): number => (number << 3) | wireType;

const TAGS = {
  entries: tagOf(1, WIRE.bytes),
  elements: tagOf(1, WIRE.bytes),
  key: tagOf(ENTRY_KEY, WIRE.bytes),
  value: tagOf(ENTRY_VALUE, WIRE.bytes),
  null: tagOf(VALUE.null, WIRE.varint),
  number: tagOf(VALUE.number, WIRE.fixed64),
  string: tagOf(VALUE.string, WIRE.bytes),
  bool: tagOf(VALUE.bool, WIRE.varint),
  struct: tagOf(VALUE.struct, WIRE.bytes),
  list: tagOf(VALUE.list, WIRE.bytes),
};

/**
 * Reads a Struct that ends at `end`, into the members of an earlier occurrence of the field, if any.
 * @throws {ParleyError} `parse_error` as {@link WireReader}; for infinite numbers and the member `__proto__`
 */
export function readStruct(reader: WireReader, end: number, into: JsonObject = {}): JsonObject {
  reader.enter();
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    if (tag === TAGS.entries) readEntry(reader, reader.readEnd(), into);
    else reader.skip(tag & 7);
  }
  reader.leave();
  return into;
}

function readEntry(reader: WireReader, end: number, into: JsonObject): void {
  let key = '';
  let value: JsonValue = null;
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    if (tag === TAGS.key) key = reader.readString();
    else if (tag === TAGS.value) value = readValue(reader, reader.readEnd());
    else reader.skip(tag & 7);
  }
  if (key === '__proto__')
    throw new ParleyError('parse_error', 'A Struct contains a member named "__proto__", which is not accepted.');
  reader.countMember();
  into[key] = value;
}

/**
 * Reads a Value that ends at `end`; one without content is null.
 * @throws the errors of {@link readStruct}
 */
export function readValue(reader: WireReader, end: number): JsonValue {
  let value: JsonValue = null;
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    if (tag === TAGS.string) value = reader.readString();
    else if (tag === TAGS.number) value = finite(reader.readDouble());
    else if (tag === TAGS.bool) value = reader.readBool();
    else if (tag === TAGS.struct) value = readStruct(reader, reader.readEnd());
    else if (tag === TAGS.list) value = readList(reader, reader.readEnd());
    else {
      reader.skip(tag & 7);
      if (tag === TAGS.null) value = null;
    }
  }
  return value;
}

function readList(reader: WireReader, end: number): JsonValue[] {
  const elements: JsonValue[] = [];
  reader.enter();
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    if (tag !== TAGS.elements) {
      reader.skip(tag & 7);
      continue;
    }
    reader.countMember();
    elements.push(readValue(reader, reader.readEnd()));
  }
  reader.leave();
  return elements;
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ParleyError('parse_error', 'A Value contains a number that is not finite, which JSON cannot express.');
}

/** Writes the fields of a Struct. Undefined members are left out. */
export function writeStruct(writer: WireWriter, object: JsonObject): void {
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    writer.writeUint32(TAGS.entries);
    const entry = writer.beginMessage();
    writer.writeUint32(TAGS.key);
    writer.writeString(name);
    writer.writeUint32(TAGS.value);
    const start = writer.beginMessage();
    writeValue(writer, value);
    writer.endMessage(start);
    writer.endMessage(entry);
  }
}

/** Writes the field of a Value. */
export function writeValue(writer: WireWriter, value: JsonValue): void {
  if (typeof value === 'string') {
    writer.writeUint32(TAGS.string);
    writer.writeString(value);
  } else if (typeof value === 'number') {
    writer.writeUint32(TAGS.number);
    writer.writeDouble(value);
  } else if (typeof value === 'boolean') {
    writer.writeUint32(TAGS.bool);
    writer.writeUint32(Number(value));
  } else if (value === null) {
    writer.writeUint32(TAGS.null);
    writer.writeUint32(0);
  } else {
    writeNested(writer, value);
  }
}

function writeNested(writer: WireWriter, value: JsonValue[] | JsonObject): void {
  writer.writeUint32(isObject(value) ? TAGS.struct : TAGS.list);
  const start = writer.beginMessage();
  if (isObject(value)) writeStruct(writer, value);
  else for (const element of value) writeElement(writer, element);
  writer.endMessage(start);
}

function writeElement(writer: WireWriter, element: JsonValue): void {
  writer.writeUint32(TAGS.elements);
  const start = writer.beginMessage();
  writeValue(writer, element);
  writer.endMessage(start);
}

const SECONDS = tagOf(1, WIRE.varint);
const NANOS = tagOf(2, WIRE.varint);
/** The first second of the year 1 and the last one of 9999: the range of Timestamp. */
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;
const NANOS_PER_SECOND = 1_000_000_000;

/**
 * Reads a Timestamp as ISO 8601 text in UTC, with the milliseconds, and with more digits if it has them.
 * @throws {ParleyError} `parse_error` as {@link WireReader}; for a time outside the years 1 to 9999
 */
export function readTimestamp(reader: WireReader, end: number): string {
  let seconds = 0;
  let nanos = 0;
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    if (tag === SECONDS) seconds = Number(reader.readInt64());
    else if (tag === NANOS) nanos = reader.readInt32();
    else reader.skip(tag & 7);
  }
  const isValid = seconds >= MIN_SECONDS && seconds <= MAX_SECONDS && nanos >= 0 && nanos < NANOS_PER_SECOND;
  if (!isValid) throw new ParleyError('parse_error', 'A Timestamp is outside the years 1 to 9999.');
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length);
  const digits = String(nanos).padStart(9, '0');
  return `${whole}.${digits.endsWith('000000') ? digits.slice(0, 3) : digits}Z`;
}

/** Writes the fields of a Timestamp; none for text that is not an ISO 8601 time. */
export function writeTimestamp(writer: WireWriter, text: string): void {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return;
  const seconds = Math.floor(ms / 1_000);
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? '';
  const nanos = Number(fraction.padEnd(9, '0'));
  if (seconds !== 0) {
    writer.writeUint32(SECONDS);
    writer.writeInt64(seconds);
  }
  if (nanos === 0) return;
  writer.writeUint32(NANOS);
  writer.writeUint32(nanos);
}
