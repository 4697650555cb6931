import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../json';
import type { Artifact, Message, Part } from '../../core/model';
import type { DataTexts } from './data-texts';

// Agents are read with tolerance: by members, not by discriminators; what cannot be understood is left out, never thrown.

/** What reading needs to know beside the value. */
export interface ReadOptions {
  newId: () => string;
  /** In HTTP+JSON of 0.3 a data part's value stands one level deeper. */
  nestsData?: boolean;
  /** How data parts were written, where that is to be kept. */
  dataText?: DataTexts;
}

function metadataOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function readPart(value: JsonValue, { nestsData, dataText }: ReadOptions): Part | null {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (!isObject(value)) return null;
  const metadata = metadataOf(value.metadata);
  const file = isObject(value.file) ? value.file : value;
  const filename = nonEmptyString(file.name) ?? nonEmptyString(file.filename);
  const mediaType = nonEmptyString(file.mimeType) ?? nonEmptyString(file.mediaType);
  if (typeof value.text === 'string') return { kind: 'text', text: value.text, filename, mediaType, metadata };
  const bytes = [file.bytes, file.raw, file.fileWithBytes].find((found) => typeof found === 'string');
  if (typeof bytes === 'string') return { kind: 'bytes', bytes, filename, mediaType, metadata };
  const uri = nonEmptyString(file.uri) ?? nonEmptyString(file.url) ?? nonEmptyString(file.fileWithUri);
  if (uri) return { kind: 'uri', uri, filename, mediaType, metadata };
  if (value.data === undefined) return null;
  const nested = nestsData && !value.kind && isObject(value.data) && value.data.data !== undefined;
  const data = nested && isObject(value.data) ? (value.data.data ?? null) : value.data;
  const text = dataText?.(data);
  return { kind: 'data', data, ...(text !== undefined && { text }), filename, mediaType, metadata };
}

/** The parts that can be read, in order; 0.3's Protobuf calls those of a message `content`. */
function readParts(value: JsonObject, options: ReadOptions): Part[] {
  const list = Array.isArray(value.parts) ? value.parts : value.content;
  return Array.isArray(list) ? list.map((part) => readPart(part, options)).filter((part) => part !== null) : [];
}

/** A message of an agent; a bare string is its text. Null when there is nothing to read. */
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

/** An artifact; one without an id is told by its index, its name or its place, so that its chunks find it again. */
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

/** The artifacts of a task. Two that go by one name are two. */
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
