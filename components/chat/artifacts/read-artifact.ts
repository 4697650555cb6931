import type { Artifact, Part } from '../../../lib/protocol/a2a/core/model';
import { readApp } from '../../../lib/protocol/mcp-apps/read-app';
import { type PartView, toPartView } from '../parts/part-view';
import { bytesOf, essenceOf, readFile } from '../parts/read-file';

/**
 * A piece of an artifact that is displayed, copied and downloaded as a unit. Chunks that belong together are joined.
 */
export interface ArtifactPiece {
  view: PartView;
  /** Index of its first part in the artifact, from 0. */
  part: number;
  /** Null if the part has no content of its own, such as a link. */
  file: ArtifactFile | null;
  /** The text that the copy button copies; null for bytes and links. */
  copy: string | null;
}

export interface ArtifactFile {
  /** Null if both the part and the artifact have no name. */
  name: string | null;
  /** File extension for text without a name; empty for bytes. */
  extension: string;
  /** Bytes, in UTF-8 for text. */
  size: number;
  bytes: () => Uint8Array<ArrayBuffer>;
}

/** An artifact's kind: that of its only piece, several, or none. */
type ArtifactKind = (typeof kinds)[keyof typeof kinds] | 'data' | 'parts' | 'empty';

export interface ArtifactView {
  id: string;
  /** Null if the agent gave no name. */
  name: string | null;
  description: string | null;
  kind: ArtifactKind;
  /** Sum of the pieces with content. */
  size: number;
  pieces: ArtifactPiece[];
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['text/markdown', 'md'],
  ['text/x-markdown', 'md'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/css', 'css'],
  ['text/javascript', 'js'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
]);

/**
 * Returns an artifact for display. Consecutive text parts are joined into one text, byte for byte, and the chunks of
 * one file into one file.
 */
export function readArtifact(artifact: Artifact): ArtifactView {
  const name = artifact.name ?? artifact.parts.find((part) => part.filename)?.filename ?? null;
  const pieces = joinParts(artifact.parts).map(({ part, index }) => ({ ...toPiece(part, name), part: index }));
  return {
    id: artifact.artifactId,
    name,
    description: artifact.description ?? null,
    kind: kindOf(pieces),
    size: pieces.reduce((sum, { file }) => sum + (file?.size ?? 0), 0),
    pieces,
  };
}

/** Consecutive parts that continue each other. Bytes remain a list, because each chunk has its own padding. */
type JoinedPart = Exclude<Part, { kind: 'bytes' }> | (Omit<Part & { kind: 'bytes' }, 'bytes'> & { bytes: string[] });

/** `first` is the index of its first part. */
interface IndexedPart {
  part: JoinedPart;
  index: number;
}

function joinParts(parts: Part[]): IndexedPart[] {
  const pieces: IndexedPart[] = [];
  for (const [index, part] of parts.entries()) {
    const last = pieces.at(-1);
    const extended = last && joinTo(last.part, part);
    if (last && extended) last.part = extended;
    else pieces.push({ part: part.kind === 'bytes' ? { ...part, bytes: [part.bytes] } : part, index });
  }
  return pieces;
}

/** Joins both; null if the part does not continue the previous one. */
function joinTo(last: JoinedPart, part: Part): JoinedPart | null {
  if (!continuesPart(last, part)) return null;
  if (part.kind === 'text' && last.kind === 'text') return { ...last, text: last.text + part.text };
  if (part.kind !== 'bytes' || last.kind !== 'bytes' || !part.filename) return null;
  return { ...last, bytes: [...last.bytes, part.bytes] };
}

/**
 * Returns true if the part continues the previous one. A chunk may omit its name and type, but must not differ in them.
 */
function continuesPart(
  last: Pick<Part, 'mediaType' | 'filename'>,
  next: Pick<Part, 'mediaType' | 'filename'>,
): boolean {
  const sameType = !next.mediaType || essenceOf(next.mediaType) === essenceOf(last.mediaType);
  return sameType && (!next.filename || next.filename === last.filename);
}

function toPiece(part: JoinedPart, artifactName: string | null): Omit<ArtifactPiece, 'part'> {
  if (part.kind === 'bytes') {
    const app = readApp(part);
    const filename = part.filename ?? artifactName ?? undefined;
    const file = { ...readFile({ ...part, filename, pieces: part.bytes }), isArtifact: true };
    const { name, size } = file;
    const saved = size === null ? null : { name, extension: '', size, bytes: () => bytesOf(file) };
    return { view: app ? { kind: 'mcp-app', app } : { kind: 'file', file }, file: saved, copy: null };
  }
  const view = toPartView(part);
  if (part.kind === 'uri') return { view, file: null, copy: part.uri };
  const text = part.kind === 'text' ? part.text : JSON.stringify(part.data, null, 2);
  const extension =
    part.kind === 'data' ? 'json' : (extensions.get(essenceOf(part.mediaType ?? 'text/markdown')) ?? 'txt');
  const bytes = new TextEncoder().encode(text);
  const name = part.filename ?? (artifactName === null ? null : `${artifactName}.${extension}`);
  return { view, file: { name, extension, size: bytes.length, bytes: () => bytes }, copy: text };
}

/** The kinds of pieces that have a name of their own; all others are data. */
const kinds = {
  markdown: 'text',
  plain: 'text',
  file: 'file',
  'link-file': 'link',
  cart: 'cart',
  'payment-mandate': 'payment',
  receipt: 'receipt',
  intent: 'intent',
  address: 'address',
  challenge: 'request',
  form: 'request',
  x402: 'payment',
  table: 'table',
  chart: 'chart',
} as const satisfies Partial<Record<PartView['kind'], string>>;

function kindOf(pieces: ArtifactPiece[]): ArtifactKind {
  const found = new Set(pieces.map(({ view }) => kindOfView(view)));
  const [first = 'empty'] = found;
  return found.size > 1 ? 'parts' : first;
}

function kindOfView({ kind }: PartView): ArtifactKind {
  return kind in kinds ? kinds[kind as keyof typeof kinds] : 'data';
}
