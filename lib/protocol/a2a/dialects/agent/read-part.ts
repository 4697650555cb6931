import { isObject, type JsonObject, type JsonValue, textOf } from '../../../json';
import type { Artifact, Message, Part } from '../../core/model';

// Agents are read with tolerance: by members, not by discriminators; what cannot be understood is left out, never thrown.

function metadataOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function readPart(value: JsonValue): Part | null {
  if (!isObject(value)) return null;
  const metadata = metadataOf(value.metadata);
  const file = isObject(value.file) ? value.file : value;
  const filename = textOf(file.name) ?? textOf(file.filename);
  const mediaType = textOf(file.mimeType) ?? textOf(file.mediaType);
  if (typeof value.text === 'string') return { kind: 'text', text: value.text, filename, mediaType, metadata };
  const bytes = typeof file.bytes === 'string' ? file.bytes : file.raw;
  if (typeof bytes === 'string') return { kind: 'bytes', bytes, filename, mediaType, metadata };
  const uri = textOf(file.uri) ?? textOf(file.url);
  if (uri) return { kind: 'uri', uri, filename, mediaType, metadata };
  if (value.data !== undefined) return { kind: 'data', data: value.data, filename, mediaType, metadata };
  return null;
}

/** The parts that can be read, in order. */
function readParts(value: JsonValue | undefined): Part[] {
  return Array.isArray(value) ? value.map(readPart).filter((part) => part !== null) : [];
}

/** A message of an agent; a bare string is its text. Null when there is nothing to read. */
export function readMessage(value: JsonValue | undefined, newId: () => string): Message | null {
  if (typeof value === 'string' && value !== '') {
    return { messageId: newId(), role: 'agent', parts: [{ kind: 'text', text: value }] };
  }
  if (!isObject(value)) return null;
  const parts = readParts(value.parts);
  if (parts.length === 0) return null;
  return {
    messageId: textOf(value.messageId) ?? newId(),
    role: value.role === 'user' || value.role === 'ROLE_USER' ? 'user' : 'agent',
    parts,
    extensions: stringsOf(value.extensions),
    metadata: metadataOf(value.metadata),
  };
}

/** An artifact; one without an id is told by its place, so that its chunks find it again. */
export function readArtifact(value: JsonValue | undefined, place: number): Artifact | null {
  if (!isObject(value)) return null;
  const index = typeof value.index === 'number' ? value.index : place;
  return {
    artifactId: textOf(value.artifactId) ?? `artifact-${index}`,
    name: textOf(value.name),
    description: textOf(value.description),
    parts: readParts(value.parts),
    extensions: stringsOf(value.extensions),
    metadata: metadataOf(value.metadata),
  };
}

function stringsOf(value: JsonValue | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
