import { ParleyError } from './errors';
import { fetchExternalBody } from './http-client/safe-fetch';
import { IMAGE_DECODE_TIMEOUT_SECONDS, IMAGE_FETCH_TIMEOUT_MS, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from './limits';
import { constantTimeEqual, hmac } from './secrets/crypto';

/**
 * Fetches an image from an untrusted URL and re-encodes it as WebP, which drops everything else in the file (scripts,
 * metadata, embedded formats). Does not follow redirects.
 * @throws {ParleyError} `url_refused`; `unsupported_media_type` for any format except PNG, JPEG, GIF or WebP, or for
 * too many pixels; `agent_unreachable`, `agent_timeout`, `agent_misbehaved` if the fetch fails
 */
export async function fetchImage(
  url: string,
  { edge, signal }: { edge: number; signal: AbortSignal },
): Promise<Buffer> {
  const headers = { accept: 'image/webp,image/png,image/jpeg,image/gif' };
  const { status, bytes } = await fetchExternalBody({
    url,
    method: 'GET',
    headers,
    signal,
    maxBytes: MAX_IMAGE_BYTES,
    totalMs: IMAGE_FETCH_TIMEOUT_MS,
  });
  if (status !== 200)
    throw new ParleyError('agent_unreachable', `The URL returned status ${status} instead of an image.`);
  return reencodeImage(bytes, edge);
}

/**
 * Re-encodes the first frame of a raster image as WebP without metadata. Images are reduced to at most `edge` pixels in
 * width and height, never enlarged.
 * @throws {ParleyError} `unsupported_media_type`
 */
export async function reencodeImage(bytes: Uint8Array, edge: number): Promise<Buffer> {
  if (!isRaster(bytes)) throw unreadableImage('it is not a PNG, JPEG, GIF or WebP');
  // Loaded for the first image, because it takes 12 MB of memory.
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', pages: 1 })
      .rotate()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: IMAGE_DECODE_TIMEOUT_SECONDS })
      .toBuffer();
  } catch (error) {
    throw unreadableImage('it is broken or has too many pixels', error);
  }
}

const magicBytes = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];

/** Checks the magic bytes: the decoder would also read SVG, which may reference files and URLs. */
function isRaster(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return magicBytes.some((start) => head.startsWith(start)) || (head.startsWith('RIFF') && head.endsWith('WEBP'));
}

function unreadableImage(why: string, cause?: unknown): ParleyError {
  return new ParleyError('unsupported_media_type', `This image cannot be shown: ${why}.`, { cause });
}

const signaturePurpose = 'picture-url';

/**
 * Returns the path at which Parley serves an external image, re-encoded, from its own origin. Only signed URLs are
 * fetched, so that the endpoint is not an open proxy.
 */
export function imageProxyUrl(source: string): string {
  return `/api/pictures?${new URLSearchParams({ url: source, sig: hmac(signaturePurpose, source) })}`;
}

/** Returns true if {@link imageProxyUrl} signed this URL. */
export function isValidImageSignature(source: string, signature: string): boolean {
  return constantTimeEqual(hmac(signaturePurpose, source), signature);
}
