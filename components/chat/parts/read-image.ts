/** An image that may be displayed: its type by magic bytes, and its size in pixels. */
export interface ImageFacts {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  width: number;
  height: number;
}

/** Maximum pixels of an image. More could exhaust memory when decoded. */
const MAX_PIXELS = 40_000_000;

/**
 * Detects PNG, JPEG, GIF and WebP by magic bytes, regardless of their names, and reads their dimensions. Null for
 * everything else, especially SVG, and for images too large to decode.
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

/** Walks the segments of a JPEG to the frame header, which has the dimensions (ITU T.81 §B.2.2). */
function readJpeg(view: DataView): ImageFacts | null {
  if (!startsWith(view, '\xff\xd8\xff')) return null;
  for (let offset = 2; offset + 9 < view.byteLength; ) {
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    if (isFrameHeader(marker)) {
      return { mediaType: 'image/jpeg', height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    }
    // A fill byte, else a segment with its length.
    offset += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(offset + 2));
  }
  return null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
