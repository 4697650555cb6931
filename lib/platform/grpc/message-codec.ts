import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import type { EnumTable, FieldRow, MessageTable } from '../../protocol/message-tables';
import { ParleyError } from '../errors';
import { enumKind, type FieldKind, messageKind, scalarKinds } from './field-kinds';
import { WireReader } from './wire-reader';
import { WireWriter } from './wire-writer';

/**
 * Converts between the Protocol Buffers encoding of messages and their JSON (ProtoJSON), without objects in between.
 * Fields that a message does not define are dropped, as are members without a field.
 */
export interface MessageCodec<Name extends string> {
  /**
   * Returns a message's JSON. Absent fields have no member. An unknown enum value is its number.
   * @throws {ParleyError} `parse_error` for malformed data, and for more than the limits of `parseJson`
   */
  decode: (name: Name, bytes: Buffer, maxMembers?: number) => JsonObject;
  /**
   * Returns the encoding of a message's JSON after `reserved` bytes for the caller. Members of another type than their
   * field, as cards of agents may have, are left out.
   */
  encode: (name: Name, value: JsonObject, reserved?: number) => Buffer;
}

interface Message {
  fields: Field[];
  byNumber: (Field | undefined)[];
}

interface Field {
  name: string;
  tag: number;
  kind: FieldKind;
  cardinality: 'one' | 'repeated' | 'map';
  /** True if a default value is written too. */
  hasPresence: boolean;
  /** The names of the other members of its `oneof`. */
  siblings: string[];
}

/** Creates the codec of the messages of a table, which may refer to each other. */
export function createMessageCodec<Table extends MessageTable>(
  table: Table,
  enums: EnumTable = {},
): MessageCodec<keyof Table & string> {
  const messages = new Map<string, Message>([['Empty', { fields: [], byNumber: [] }]]);
  for (const name of Object.keys(table)) messages.set(name, { fields: [], byNumber: [] });
  const kindOf = (type: string): FieldKind => {
    if (type.startsWith('map:')) return kindOfMessage(entryOf(kindOf(type.slice('map:'.length))));
    const names = enums[type];
    if (names) return enumKind(names);
    const message = messages.get(type);
    return message ? kindOfMessage(message) : (scalarKinds[type] ?? unknownType(type));
  };
  for (const [name, rows] of Object.entries(table)) fillMessage(lookUp(messages, name), rows, kindOf);
  return {
    decode(name, bytes, maxMembers) {
      const reader = new WireReader(bytes, maxMembers);
      return readMessage(reader, reader.length, { message: lookUp(messages, name), into: {} });
    },
    encode(name, value, reserved) {
      const writer = new WireWriter(reserved);
      writeMessage(writer, lookUp(messages, name), value);
      return writer.finish();
    },
  };
}

function lookUp(messages: Map<string, Message>, name: string): Message {
  return messages.get(name) ?? unknownType(name);
}

function unknownType(name: string): never {
  throw new Error(`The table has no type "${name}".`);
}

function fillMessage(message: Message, rows: readonly FieldRow[], kindOf: (type: string) => FieldKind): void {
  for (const [number, name, type, label = ''] of rows) {
    const kind = kindOf(type);
    const others = rows.filter((row) => label.startsWith('oneof:') && row[3] === label && row[1] !== name);
    const field: Field = {
      name,
      tag: (number << 3) | kind.wireType,
      kind,
      cardinality: type.startsWith('map:') ? 'map' : label === 'repeated' ? 'repeated' : 'one',
      hasPresence: label !== '',
      siblings: others.map((row) => row[1]),
    };
    message.fields.push(field);
    message.byNumber[number] = field;
  }
}

function kindOfMessage(message: Message): FieldKind {
  return messageKind(
    (reader, end, into) => readMessage(reader, end, { message, into }),
    (writer, value) => writeMessage(writer, message, value),
  );
}

/** Returns the message of a map's entries: key and value. */
function entryOf(value: FieldKind): Message {
  const entry: Message = { fields: [], byNumber: [] };
  const rows: FieldRow[] = [
    [1, 'key', 'string', 'optional'],
    [2, 'value', 'value', 'optional'],
  ];
  fillMessage(entry, rows, (type) => (type === 'value' ? value : (scalarKinds[type] ?? unknownType(type))));
  return entry;
}

interface Target {
  message: Message;
  /** The object to which the fields are added. */
  into: JsonObject;
}

function readMessage(reader: WireReader, end: number, { message, into }: Target): JsonObject {
  reader.enter();
  while (reader.hasMore(end)) {
    const tag = reader.readUint32();
    const field = message.byNumber[tag >>> 3];
    if (field?.tag === tag) readField(reader, field, into);
    else reader.skip(tag & 7);
  }
  reader.leave();
  return into;
}

function readField(reader: WireReader, { name, kind, cardinality, siblings }: Field, into: JsonObject): void {
  reader.countMember();
  const before = into[name];
  if (cardinality === 'one') {
    into[name] = kind.read(reader, before);
    for (const other of siblings) delete into[other];
  } else if (cardinality === 'repeated') {
    const list = Array.isArray(before) ? before : [];
    list.push(kind.read(reader, undefined));
    into[name] = list;
  } else {
    into[name] = withEntry(isObject(before) ? before : {}, kind.read(reader, undefined));
  }
}

function withEntry(map: JsonObject, entry: JsonValue): JsonObject {
  const { key = '', value = {} } = isObject(entry) ? entry : {};
  if (key === '__proto__')
    throw new ParleyError('parse_error', 'A map contains the key "__proto__", which is not accepted.');
  map[String(key)] = value;
  return map;
}

function writeMessage(writer: WireWriter, { fields }: Message, object: JsonObject): void {
  for (const field of fields) {
    const value = object[field.name];
    if (value === undefined) continue;
    if (field.cardinality === 'one') writeField(writer, field, value);
    else if (field.cardinality === 'map') writeMap(writer, field, value);
    else if (Array.isArray(value)) for (const element of value) writeElement(writer, field, element);
  }
}

function writeField(writer: WireWriter, field: Field, value: JsonValue): void {
  if (field.hasPresence || !field.kind.isDefault(value)) writeElement(writer, field, value);
}

function writeMap(writer: WireWriter, field: Field, map: JsonValue): void {
  if (!isObject(map)) return;
  for (const key in map) writeElement(writer, field, { key, value: map[key] });
}

function writeElement(writer: WireWriter, { kind, tag }: Field, value: JsonValue): void {
  if (!kind.accepts(value)) return;
  writer.writeUint32(tag);
  kind.write(writer, value as never);
}
