import { type Node, parseTree } from 'jsonc-parser';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../json';
import type { Artifact, Message, Part } from '../../core/model';
import { mediaTypeIn, unwrapData } from '../part-metadata';

// Agents' output is read leniently: by members, not by discriminators. Unreadable content is omitted and never an
// error.

/** Options for reading an agent's output. */
export interface ReadOptions {
  newId: () => string;
  /** True in HTTP+JSON of 0.3, where a data part's value is nested one level deeper. */
  nestsData?: boolean;
  /** The original JSON of data parts, if retained. */
  dataText?: DataTexts;
}

/** Returns the value if it is an object, otherwise undefined. */
export function metadataOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function readPart(value: JsonValue, { nestsData, dataText }: ReadOptions): Part | null {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (!isObject(value)) return null;
  const metadata = metadataOf(value.metadata);
  const file = isObject(value.file) ? value.file : value;
  const filename = nonEmptyString(file.name) ?? nonEmptyString(file.filename);
  const mediaType = nonEmptyString(file.mimeType) ?? nonEmptyString(file.mediaType);
  if (typeof value.text === 'string') {
    return { kind: 'text', text: value.text, filename, mediaType: mediaType ?? mediaTypeIn(metadata), metadata };
  }
  const bytes = [file.bytes, file.raw, file.fileWithBytes].find((found) => typeof found === 'string');
  if (typeof bytes === 'string') return { kind: 'bytes', bytes, filename, mediaType, metadata };
  const uri = nonEmptyString(file.uri) ?? nonEmptyString(file.url) ?? nonEmptyString(file.fileWithUri);
  if (uri) return { kind: 'uri', uri, filename, mediaType, metadata };
  if (value.data === undefined) return null;
  const nested = nestsData && !value.kind && isObject(value.data) && value.data.data !== undefined;
  const data = nested && isObject(value.data) ? (value.data.data ?? null) : value.data;
  const part = unwrapData(data, metadata);
  const text = dataText?.(part.data);
  return { ...part, ...(text !== undefined && { text }), filename, mediaType: mediaType ?? part.mediaType };
}

/** Returns the readable parts in order. The 0.3 proto calls a message's parts `content`. */
function readParts(value: JsonObject, options: ReadOptions): Part[] {
  const list = Array.isArray(value.parts) ? value.parts : value.content;
  return Array.isArray(list) ? list.map((part) => readPart(part, options)).filter((part) => part !== null) : [];
}

/** Reads a message of an agent; a bare string is its text. Returns null if it has no content. */
export function readMessage(value: JsonValue | undefined, options: ReadOptions): Message | null {
  if (typeof value === 'string' && value !== '') {
    return { messageId: options.newId(), role: 'agent', parts: [{ kind: 'text', text: value }] };
  }
  if (!isObject(value)) return null;
  const parts = readParts(value, options);
  if (parts.length === 0) return null;
  return {
    messageId: nonEmptyString(value.messageId) ?? options.newId(),
    role: value.role === 'user' || value.role === 'ROLE_USER' ? 'user' : 'agent',
    parts,
    referenceTaskIds: stringsOf(value.referenceTaskIds),
    extensions: stringsOf(value.extensions),
    metadata: metadataOf(value.metadata),
  };
}

/** Reads an artifact. Without an id, it is identified by its index, name or position, so that its chunks match it. */
export function readArtifact(value: JsonValue | undefined, options: ReadOptions, position = 0): Artifact | null {
  if (!isObject(value)) return null;
  const name = nonEmptyString(value.name);
  const index = typeof value.index === 'number' ? `artifact-${value.index}` : undefined;
  return {
    artifactId: nonEmptyString(value.artifactId) ?? index ?? name ?? `artifact-${position}`,
    name,
    description: nonEmptyString(value.description),
    parts: readParts(value, options),
    extensions: stringsOf(value.extensions),
    metadata: metadataOf(value.metadata),
  };
}

/** Reads the artifacts of a task and makes duplicate ids unique. */
export function readArtifacts(value: JsonValue | undefined, options: ReadOptions): Artifact[] {
  const seen = new Set<string>();
  return (Array.isArray(value) ? value : []).flatMap((item, position) => {
    const artifact = readArtifact(item, options, position);
    if (!artifact) return [];
    const artifactId = seen.has(artifact.artifactId) ? `${artifact.artifactId}-${position}` : artifact.artifactId;
    seen.add(artifactId);
    return [{ ...artifact, artifactId }];
  });
}

function stringsOf(value: JsonValue | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** Substrings of which every offer contains at least one. The check takes less than a microsecond. */
const offerMarkers = ['payment_request', 'ap2', 'ucp'];

/** Returns the original JSON of a data part; undefined if it equals the output of `JSON.stringify`. */
export type DataTexts = (data: JsonValue) => string | undefined;

/**
 * Returns the original JSON of the data parts in a response, for hashing and for detecting duplicate members, which
 * parsing drops. Undefined for almost every response: only those that may contain an offer are parsed again.
 */
export function findDataTexts(text: string, value: JsonValue): DataTexts | undefined {
  if (!offerMarkers.some((marker) => text.includes(marker))) return undefined;
  const root = parseTree(text);
  if (!root) return undefined;
  const texts = new Map<JsonValue, string>();
  collect(root, value, (data, { offset, length }) => texts.set(data, text.slice(offset, offset + length)));
  return (data) => {
    const written = texts.get(data);
    return written === JSON.stringify(data) ? undefined : written;
  };
}

function collect(node: Node, value: JsonValue | undefined, found: (data: JsonValue, at: Node) => void): void {
  if (node.type === 'array' && Array.isArray(value)) {
    for (const [index, child] of (node.children ?? []).entries()) collect(child, value[index], found);
  }
  if (node.type !== 'object' || !isObject(value)) return;
  for (const { children: [name, member] = [] } of node.children ?? []) {
    if (!name || !member) continue;
    const held = value[String(name.value)];
    if (name.value === 'data' && isObject(held)) found(held, member);
    collect(member, held, found);
  }
}
