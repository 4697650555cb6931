import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../json';
import { MAX_A2UI_MESSAGES } from '../../limits';
import { readPath } from './pointer';
import { readLegacyMessage } from './read-legacy';
import { type A2uiVersion, type Component, type Operation, readName } from './surface';

/** The media type of A2UI's messages, and the one before 0.9.1. */
export const A2UI_MEDIA_TYPE = 'application/a2ui+json';
const mediaTypes: ReadonlySet<string> = new Set([A2UI_MEDIA_TYPE, 'application/json+a2ui']);

interface DataPart {
  mediaType?: string;
  metadata?: JsonObject;
}

/** Returns true for a data part that declares A2UI messages, in its media type or its metadata. */
export function isA2uiPart({ mediaType, metadata }: DataPart): boolean {
  return [mediaType, metadata?.mimeType].some(
    (type) => typeof type === 'string' && mediaTypes.has(type.split(';', 1)[0]?.trim().toLowerCase() ?? ''),
  );
}

/** The messages of a part. */
export interface A2uiMessages {
  operations: Operation[];
  /** True if some were omitted, because they are invalid or too many. */
  isCut: boolean;
}

/**
 * Reads the messages of a part, one or a list, each of any version. An invalid message is omitted, the others are kept
 * (A2A extension of A2UI, Processing Rules).
 */
export function readMessages(data: JsonValue): A2uiMessages {
  const list = Array.isArray(data) ? data : [data];
  const read = list.slice(0, MAX_A2UI_MESSAGES).map(readMessage);
  const operations = read.filter((operation) => operation !== null);
  return { operations, isCut: operations.length < list.length };
}

const versions: ReadonlyMap<string, A2uiVersion> = new Map([
  ['0.9', '0.9'],
  ['0.9.1', '0.9'],
  ['1.0', '1.0'],
]);

function readMessage(message: JsonValue): Operation | null {
  if (!isObject(message)) return null;
  const wireVersion = nonEmptyString(message.version);
  if (wireVersion === undefined && message.createSurface === undefined) return readLegacyMessage(message);
  const version = versions.get((wireVersion ?? 'v0.9').replace(/^v/, ''));
  if (version === undefined) return null;
  const names = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'] as const;
  const kinds = names.filter((name) => isObject(message[name]));
  const [kind] = kinds;
  const body = kind && message[kind];
  if (kinds.length !== 1 || !isObject(body)) return null;
  const surfaceId = readName(body.surfaceId);
  if (surfaceId === null) return null;
  switch (kind) {
    case 'createSurface':
      return readCreation(body, { surfaceId, version, wireVersion: wireVersion ?? 'v0.9' });
    case 'updateComponents':
      return { kind: 'components', surfaceId, version, components: readComponents(body.components) };
    case 'updateDataModel':
      return readDataUpdate(body, surfaceId, version);
    default:
      return { kind: 'delete', surfaceId, version };
  }
}

function readCreation(
  body: JsonObject,
  known: Pick<Operation & { kind: 'create' }, 'surfaceId' | 'version' | 'wireVersion'>,
): Operation {
  return {
    ...{ kind: 'create', ...known, root: 'root', sendsData: body.sendDataModel === true },
    components: readComponents(body.components),
    data: isObject(body.dataModel) ? body.dataModel : {},
  };
}

/** In 1.0, null removes the value; in 0.9, a missing value does. */
function readDataUpdate(body: JsonObject, surfaceId: string, version: A2uiVersion): Operation | null {
  const path = readPath(typeof body.path === 'string' ? body.path : '/');
  if (path === null) return null;
  const isRemoved = version === '1.0' && body.value === null;
  return { kind: 'data', surfaceId, version, path, value: isRemoved ? undefined : body.value };
}

/** Returns the components that have a name and a type. */
function readComponents(value: JsonValue | undefined): Component[] {
  return (Array.isArray(value) ? value : []).flatMap((item) => {
    if (!isObject(item)) return [];
    const { id, component, ...rest } = item;
    const [name, type] = [readName(id), readName(component)];
    return name === null || type === null ? [] : [{ id: name, type, props: withoutMarks(rest) }];
  });
}

const marked: ReadonlySet<string> = new Set([
  ...['@path', '@call', '@args', '@componentId', '@catalogId', '@accessibility', '@metadata', '@checks', '@weight'],
]);

/** Drafts of 1.0 differ in whether the names that the protocol defines start with `@`. */
function withoutMarks(props: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [
      marked.has(name) ? name.slice(1) : name,
      value === undefined ? undefined : unmark(value),
    ]),
  );
}

function unmark(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unmark);
  return isObject(value) ? withoutMarks(value) : value;
}
