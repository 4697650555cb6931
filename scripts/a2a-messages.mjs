import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Type as FieldType,
  FileDescriptorProtoSchema,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  FieldDescriptorProto_Label as Label,
} from '@bufbuild/protobuf/wkt';
import protobuf from 'protobufjs';

// Derives the message tables of the gRPC binding, and the descriptors that its reflection service returns, from the
// official proto. Options of google.api are left out: they describe the HTTP binding, and neither output needs them.

const FOLDER = 'lib/protocol/a2a/proto';
const WELL_KNOWN = ['struct', 'timestamp', 'empty'];
const SCALARS = { string: FieldType.STRING, bytes: FieldType.BYTES, bool: FieldType.BOOL, int32: FieldType.INT32 };

/** Returns the generated files by path. */
export function generateA2aMessages() {
  const file = parse(readFileSync(`${FOLDER}/a2a.proto`, 'utf8'));
  return {
    [`${FOLDER}/a2a-messages.ts`]: messagesModule(file),
    [`${FOLDER}/a2a-descriptors.ts`]: descriptorsModule(file),
  };
}

function parse(text) {
  const { package: name, root } = protobuf.parse(text, new protobuf.Root(), { keepCase: true });
  for (const known of WELL_KNOWN) root.addJSON(protobuf.common.get(`google/protobuf/${known}.proto`).nested);
  root.resolveAll();
  const all = root.lookup(name).nestedArray;
  return {
    name,
    messages: all.filter((each) => each instanceof protobuf.Type),
    enums: all.filter((each) => each instanceof protobuf.Enum),
    services: all.filter((each) => each instanceof protobuf.Service),
  };
}

const HEADER = '// Generated from a2a.proto by scripts/a2a-messages.mjs. Do not edit.\n\n';

function messagesModule({ enums, messages, services }) {
  const lines = [
    `${HEADER}import type { EnumTable, MessageTable, MethodTable } from '../../message-tables';\n`,
    '/** The names of enum values by number. */',
    'export const a2aEnums = {',
    ...enums.map(({ name, values }) => `  ${name}: [${Object.keys(values).map(quote).join(', ')}],`),
    '} as const satisfies EnumTable;\n',
    '/** The fields of each message: number, JSON name, type, and label. */',
    'export const a2aMessages = {',
    ...messages.map(({ name, fieldsArray }) => `  ${name}: [\n${fieldsArray.map(fieldOf).join('')}  ],`),
    '} as const satisfies MessageTable;\n',
    '/** The methods of `lf.a2a.v1.A2AService`: request, response, and whether the response is a stream. */',
    'export const a2aRpcs = {',
    ...services.flatMap(({ methodsArray }) => methodsArray.map(methodOf)),
    '} as const satisfies MethodTable;',
  ];
  return `${lines.join('\n')}\n`;
}

function methodOf({ name, requestType, responseType, responseStream }) {
  return `  ${name}: [${quote(requestType)}, ${quote(plainName(responseType))}, ${Boolean(responseStream)}],`;
}

function fieldOf(field) {
  const label = labelOf(field);
  const type = field.map ? `map:${plainName(field.type)}` : plainName(field.type);
  return `    [${field.id}, ${quote(jsonName(field.name))}, ${quote(type)}${label ? `, ${quote(label)}` : ''}],\n`;
}

function labelOf(field) {
  if (field.map) return '';
  if (field.repeated) return 'repeated';
  if (isOptional(field)) return 'optional';
  return field.partOf ? `oneof:${field.partOf.name}` : '';
}

function isOptional({ options }) {
  return Boolean(options?.proto3_optional);
}

function plainName(type) {
  return type.replace(/^google\.protobuf\./, '');
}

function jsonName(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function quote(text) {
  return `'${text}'`;
}

function descriptorsModule(file) {
  const known = [file_google_protobuf_empty, file_google_protobuf_struct, file_google_protobuf_timestamp];
  const files = [create(FileDescriptorProtoSchema, descriptorOf(file)), ...known.map(({ proto }) => proto)];
  const lines = files.map((proto) => {
    const text = Buffer.from(toBinary(FileDescriptorProtoSchema, proto)).toString('base64');
    const parts = text.match(/.{1,112}/g).map((part) => `    ${quote(part)},\n`);
    return `  ${quote(proto.name)}: [\n${parts.join('')}  ].join(''),`;
  });
  const doc = '/** The serialized `FileDescriptorProto` of each file, in base64. */';
  return `${HEADER}${doc}\nexport const a2aDescriptors = {\n${lines.join('\n')}\n};\n`;
}

function descriptorOf({ name, messages, enums, services }) {
  const fullName = (type) => (type.startsWith('google.') ? `.${type}` : `.${name}.${type}`);
  return {
    name: 'a2a.proto',
    package: name,
    dependency: WELL_KNOWN.map((known) => `google/protobuf/${known}.proto`).sort(),
    syntax: 'proto3',
    messageType: messages.map((message) => messageDescriptor(message, fullName)),
    enumType: enums.map((each) => ({ name: each.name, value: valuesOf(each) })),
    service: services.map((each) => ({ name: each.name, method: each.methodsArray.map(methodDescriptor) })),
  };
  function methodDescriptor({ name: method, requestType, responseType, responseStream }) {
    const types = { inputType: fullName(requestType), outputType: fullName(responseType) };
    return { name: method, ...types, serverStreaming: Boolean(responseStream) };
  }
}

function valuesOf({ values }) {
  return Object.entries(values).map(([name, number]) => ({ name, number }));
}

function messageDescriptor(message, fullName) {
  const { fieldsArray } = message;
  const declared = message.oneofsArray.filter(({ fieldsArray: [first] }) => !isOptional(first));
  // The compiler adds a oneof for each optional field, after the declared ones.
  const synthetic = fieldsArray.filter(isOptional).map(({ name }) => ({ name: `_${name}` }));
  const oneofs = [...declared.map(({ name }) => ({ name })), ...synthetic];
  return {
    name: message.name,
    oneofDecl: oneofs,
    nestedType: fieldsArray.filter(({ map }) => map).map((field) => entryDescriptor(field, fullName)),
    field: fieldsArray.map((field) => ({
      ...fieldDescriptor(field, fullName),
      ...(field.map && { type: FieldType.MESSAGE, typeName: fullName(`${message.name}.${entryName(field)}`) }),
      label: field.map || field.repeated ? Label.REPEATED : Label.OPTIONAL,
      ...(field.partOf && { oneofIndex: oneofs.findIndex(({ name }) => name === field.partOf.name) }),
      ...(isOptional(field) && { proto3Optional: true }),
    })),
  };
}

function fieldDescriptor({ name, id, type, resolvedType }, fullName) {
  const messageType = resolvedType instanceof protobuf.Enum ? FieldType.ENUM : FieldType.MESSAGE;
  const scalar = SCALARS[type];
  return {
    name,
    number: id,
    label: Label.OPTIONAL,
    type: scalar ?? messageType,
    ...(scalar === undefined && { typeName: fullName(type) }),
    jsonName: jsonName(name),
  };
}

/** Returns the message of a map's entries, as the compiler adds it. */
function entryDescriptor(field, fullName) {
  const key = { name: 'key', id: 1, type: 'string' };
  const value = { name: 'value', id: 2, type: field.type, resolvedType: field.resolvedType };
  const fields = [key, value].map((member) => fieldDescriptor(member, fullName));
  return { name: entryName(field), field: fields, options: { mapEntry: true } };
}

function entryName({ name }) {
  const camel = jsonName(name);
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(generateA2aMessages())) writeFileSync(path, text);
}
