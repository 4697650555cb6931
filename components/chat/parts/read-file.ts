import { cleanLine } from '../../../lib/protocol/a2a/cards/clean-text';
import { base64Size, decodeBase64 } from './base64';
import { type ImageFacts, readImage } from './read-image';

/** A file in a message; its bytes stay encoded until they are needed. */
export interface FileView {
  /** The agent's file name; null without one. */
  name: string | null;
  /** It is in an artifact, whose name is the default. */
  isArtifact?: boolean;
  mediaType: string;
  /** Bytes; null if it is not valid base64. */
  size: number | null;
  base64: string[];
  /** Set if the bytes are an image that may be displayed. */
  image: ImageFacts | null;
}

export interface FilePieces {
  filename?: string;
  mediaType?: string;
  /** Base64 texts; a file may have several chunks. */
  pieces: string[];
}

/**
 * Maximum characters of a file that are read to detect an image: JPEGs may have long metadata before the frame header.
 */
const HEAD_CHARACTERS = 100_000;
/** Maximum size of a displayed image, bytes. Larger images can only be downloaded. */
const MAX_IMAGE_BYTES = 4_000_000;

export function readFile({ filename, mediaType, pieces }: FilePieces): FileView {
  const sizes = pieces.map(base64Size);
  const size = sizes.reduce<number | null>((sum, next) => (sum === null || next === null ? null : sum + next), 0);
  const [first = ''] = pieces;
  const head = decodeBase64(first.length > HEAD_CHARACTERS ? first.slice(0, HEAD_CHARACTERS) : first);
  const image = head && pieces.length === 1 && size !== null && size <= MAX_IMAGE_BYTES ? readImage(head) : null;
  return { name: filename ?? null, mediaType: essenceOf(mediaType), size, base64: pieces, image };
}

/** The whole file. @throws {Error} if it is not base64, which a null `size` indicates beforehand */
export function bytesOf({ base64 }: FileView): Uint8Array<ArrayBuffer> {
  const pieces = base64.map((piece) => {
    const bytes = decodeBase64(piece);
    if (!bytes) throw new Error('the file is not base64');
    return bytes;
  });
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** The media type without parameters, in lower case; `application/octet-stream` if it is invalid. */
export function essenceOf(mediaType: string | undefined): string {
  const essence = (mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(essence) ? essence : 'application/octet-stream';
}

/** A safe file name: one segment, no invisible characters, not hidden. */
export function safeFileName(name: string): string {
  const plain = cleanLine(name)
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .slice(-120)
    .trim();
  return plain === '' ? 'file' : plain;
}
