import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { readStruct, readTimestamp, readValue, writeStruct, writeTimestamp, writeValue } from './well-known';
import { WIRE, type WireReader } from './wire-reader';
import type { WireWriter } from './wire-writer';

/** The conversion of one type. */
export interface FieldKind {
  wireType: number;
  /** Reads a value; a message and a Struct are read into the object of an earlier occurrence, as proto3 requires. */
  read: (reader: WireReader, before: JsonValue | undefined) => JsonValue;
  /** Returns true if the value has the type of the field. */
  accepts: (value: JsonValue) => boolean;
  /** Returns true for the default value, which fields without presence do not write. */
  isDefault: (value: JsonValue) => boolean;
  write: (writer: WireWriter, value: never) => void;
}

const hasNoDefault = (): boolean => false;
const isText = (value: JsonValue): boolean => typeof value === 'string';
const isEmptyText = (value: JsonValue): boolean => value === '';

/** Scalars and well-known types by name. */
export const scalarKinds: Record<string, FieldKind> = {
  string: {
    wireType: WIRE.bytes,
    read: (reader) => reader.readString(),
    accepts: isText,
    isDefault: isEmptyText,
    write: (writer, value: string) => writer.writeString(value),
  },
  bytes: {
    wireType: WIRE.bytes,
    read: (reader) => reader.readBase64(),
    accepts: isText,
    isDefault: isEmptyText,
    write: (writer, value: string) => writer.writeBase64(value),
  },
  bool: {
    wireType: WIRE.varint,
    read: (reader) => reader.readBool(),
    accepts: (value) => typeof value === 'boolean',
    isDefault: (value) => value === false,
    write: (writer, value: boolean) => writer.writeUint32(Number(value)),
  },
  int32: {
    wireType: WIRE.varint,
    read: (reader) => reader.readInt32(),
    accepts: (value) => Number.isInteger(value),
    isDefault: (value) => value === 0,
    write: (writer, value: number) => writer.writeInt64(value),
  },
  // A text in JSON, because a double does not represent every value.
  int64: {
    wireType: WIRE.varint,
    read: (reader) => String(reader.readInt64()),
    accepts: (value) => isText(value) && /^-?\d{1,15}$/.test(String(value)),
    isDefault: (value) => value === '0',
    write: (writer, value: string) => writer.writeInt64(Number(value)),
  },
  Struct: {
    wireType: WIRE.bytes,
    read: (reader, before) => readStruct(reader, reader.readEnd(), isObject(before) ? before : {}),
    accepts: (value) => isObject(value),
    isDefault: hasNoDefault,
    write: nested(writeStruct),
  },
  Value: {
    wireType: WIRE.bytes,
    read: (reader) => readValue(reader, reader.readEnd()),
    accepts: () => true,
    isDefault: hasNoDefault,
    write: nested(writeValue),
  },
  Timestamp: {
    wireType: WIRE.bytes,
    read: (reader) => readTimestamp(reader, reader.readEnd()),
    accepts: isText,
    isDefault: isEmptyText,
    write: nested(writeTimestamp),
  },
};

function nested<Value>(write: (writer: WireWriter, value: Value) => void): (writer: WireWriter, value: Value) => void {
  return (writer, value) => {
    const start = writer.beginMessage();
    write(writer, value);
    writer.endMessage(start);
  };
}

/** Returns the kind of an enum with these names. An unknown value is its number. */
export function enumKind(names: readonly string[]): FieldKind {
  return {
    wireType: WIRE.varint,
    read: (reader) => {
      const number = reader.readInt32();
      return names[number] ?? number;
    },
    accepts: (value) => isText(value) && names.includes(String(value)),
    isDefault: (value) => value === names[0],
    write: (writer, value: string) => writer.writeUint32(names.indexOf(value)),
  };
}

/** Returns the kind of a message that these functions read and write. */
export function messageKind(
  read: (reader: WireReader, end: number, into: JsonObject) => JsonObject,
  write: (writer: WireWriter, value: JsonObject) => void,
): FieldKind {
  return {
    wireType: WIRE.bytes,
    read: (reader, before) => read(reader, reader.readEnd(), isObject(before) ? before : {}),
    accepts: (value) => isObject(value),
    isDefault: hasNoDefault,
    write: nested(write),
  };
}
