import sharp from 'sharp';
import { ParleyError } from './errors';
import { fetchExternalBody } from './safe-fetch';

/** Most bytes of a picture that are fetched, and most pixels that are decoded. */
const maxBytes = 5 * 1_048_576;
const maxPixels = 24_000_000;
const totalMs = 10_000;
const decodeTimeoutSeconds = 5;

/**
 * Fetches a picture from an address that a stranger gave, through the guarded egress, and makes it anew as WebP: whatever else
 * was in the file (scripts, metadata, other formats within) is gone (XSS-2). Redirects are not followed.
 * @throws {ParleyError} `url_refused`; `unsupported_media_type` for what is no PNG, JPEG, GIF or WebP, or has too many pixels;
 *   `agent_unreachable`, `agent_timeout`, `agent_misbehaved` when it cannot be had
 */
export async function fetchImage(
  url: string,
  { edge, signal }: { edge: number; signal: AbortSignal },
): Promise<Buffer> {
  const headers = { accept: 'image/webp,image/png,image/jpeg,image/gif' };
  const { status, bytes } = await fetchExternalBody({ url, method: 'GET', headers, signal, maxBytes, totalMs });
  if (status !== 200)
    throw new ParleyError('agent_unreachable', `The address answered ${status} in place of a picture.`);
  return reencodeImage(bytes, edge);
}

/**
 * The first frame of a raster picture as WebP without metadata, at most `edge` pixels wide and high; never enlarged.
 * @throws {ParleyError} `unsupported_media_type`
 */
export async function reencodeImage(bytes: Uint8Array, edge: number): Promise<Buffer> {
  if (!isRaster(bytes)) throw unreadableImage('it is no PNG, JPEG, GIF or WebP');
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .rotate()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: decodeTimeoutSeconds })
      .toBuffer();
  } catch (error) {
    throw unreadableImage('it is broken or has too many pixels', error);
  }
}

const magicBytes = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];

/** Told by its first bytes: the decoder would also read SVG, which may name other files and addresses. */
function isRaster(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return magicBytes.some((start) => head.startsWith(start)) || (head.startsWith('RIFF') && head.endsWith('WEBP'));
}

function unreadableImage(why: string, cause?: unknown): ParleyError {
  return new ParleyError('unsupported_media_type', `This picture cannot be shown: ${why}.`, { cause });
}
