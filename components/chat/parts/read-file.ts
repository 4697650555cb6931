import { cleanLine } from '../../../lib/protocol/a2a/cards/clean-text';

/** A file in a message. Its bytes stay encoded until they are needed. */
export interface FileView {
  /** The agent's file name; null if there is none. */
  name: string | null;
  /** True if the file is in an artifact, whose name is the default. */
  isArtifact?: boolean;
  mediaType: string;
  /** Size in bytes; null if it is not valid base64. */
  size: number | null;
  base64: string[];
  /** Set if the bytes are an image that may be displayed. */
  image: ImageFacts | null;
}

interface FilePieces {
  filename?: string;
  mediaType?: string;
  /** Base64 texts, because a file may have several chunks. */
  pieces: string[];
}

/**
 * Maximum characters of a file that are read to detect an image. JPEGs may have long metadata before the frame header.
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

/** Returns the whole file. @throws {Error} if it is not base64, which a null `size` indicates beforehand */
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

/** Returns the media type without parameters, in lower case; `application/octet-stream` if it is invalid. */
export function essenceOf(mediaType: string | undefined): string {
  const essence = (mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(essence) ? essence : 'application/octet-stream';
}

/** Returns a safe file name: one segment, without invisible characters, not hidden. */
export function safeFileName(name: string): string {
  const plain = cleanLine(name)
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .slice(-120)
    .trim();
  return plain === '' ? 'file' : plain;
}

const alphabet = /^[\w+/-]*={0,2}$/;

/** Decodes base64 or base64url, which may contain line breaks. Null for other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = plainOf(text);
  if (plain === null) return null;
  const binary = atob(plain.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Returns the decoded size without decoding. Null if the text is not base64. */
function base64Size(text: string): number | null {
  const plain = plainOf(text);
  return plain === null ? null : Math.floor((plain.length * 3) / 4);
}

function plainOf(text: string): string | null {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (!alphabet.test(compact)) return null;
  const plain = compact.replace(/=+$/, '');
  return plain.length % 4 === 1 ? null : plain;
}

/** An image that may be displayed: its type by magic bytes, and its size in pixels. */
interface ImageFacts {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  width: number;
  height: number;
}

/** Maximum pixels of an image. More could exhaust memory when decoded. */
const MAX_PIXELS = 40_000_000;

/**
 * Detects PNG, JPEG, GIF and WebP by magic bytes, regardless of their names, and reads their dimensions. Null for all
 * other data, in particular SVG, and for images that are too large to decode.
 */
export function readImage(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  if (!facts || facts.width < 1 || facts.height < 1) return null;
  return facts.width * facts.height <= MAX_PIXELS ? facts : null;
}

function startsWith(view: DataView, text: string, offset = 0): boolean {
  if (view.byteLength < offset + text.length) return false;
  return [...text].every((character, index) => view.getUint8(offset + index) === character.charCodeAt(0));
}

function readPng(view: DataView): ImageFacts | null {
  if (view.byteLength < 24 || !startsWith(view, '\x89PNG\r\n\x1a\n') || !startsWith(view, 'IHDR', 12)) return null;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageFacts | null {
  if (view.byteLength < 10 || !(startsWith(view, 'GIF87a') || startsWith(view, 'GIF89a'))) return null;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageFacts | null {
  if (view.byteLength < 30 || !startsWith(view, 'RIFF') || !startsWith(view, 'WEBP', 8)) return null;
  const mediaType = 'image/webp';
  if (startsWith(view, 'VP8X', 12)) {
    return { mediaType, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  }
  if (startsWith(view, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  if (!startsWith(view, 'VP8 ', 12)) return null;
  return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint8(offset) | (view.getUint8(offset + 1) << 8) | (view.getUint8(offset + 2) << 16);
}

/** Traverses the segments of a JPEG to the frame header, which contains the dimensions (ITU T.81 §B.2.2). */
function readJpeg(view: DataView): ImageFacts | null {
  if (!startsWith(view, '\xff\xd8\xff')) return null;
  for (let offset = 2; offset + 9 < view.byteLength; ) {
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    if (isFrameHeader(marker)) {
      return { mediaType: 'image/jpeg', height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    }
    // A fill byte, otherwise a segment with its length.
    offset += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(offset + 2));
  }
  return null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
