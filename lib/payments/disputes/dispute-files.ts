import { ParleyError } from '../../platform/errors';
import { MAX_DISPUTE_FILE_BYTES } from '../limits';
import type { DisputeFileInput } from '../schema-disputes';
import type { NewEntry } from '../store/disputes/dispute-entries';

/** The first bytes of files of these types; null for text, which is checked as a whole. */
const signatures: Record<DisputeFileInput['mediaType'], number[] | null> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'text/plain': null,
};

/**
 * Decodes attached files.
 * @throws {ParleyError} `invalid_request` for a file that is too large or not of its type
 */
export function decodeFiles(files: DisputeFileInput[]): NonNullable<NewEntry['files']> {
  return files.map(({ name, mediaType, data }, index) => {
    const bytes = new Uint8Array(Buffer.from(data, 'base64'));
    if (bytes.length > MAX_DISPUTE_FILE_BYTES)
      throw invalidFile(index, `found ${bytes.length} bytes; at most ${MAX_DISPUTE_FILE_BYTES} are accepted`);
    if (!isOfType(bytes, mediaType)) throw invalidFile(index, `the content is not ${mediaType}`);
    return { name, mediaType, bytes };
  });
}

function isOfType(bytes: Uint8Array, mediaType: DisputeFileInput['mediaType']): boolean {
  const signature = signatures[mediaType];
  if (signature) return signature.every((byte, at) => bytes[at] === byte);
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

function invalidFile(index: number, fault: string): ParleyError {
  const pointer = `/files/${index}`;
  return new ParleyError('invalid_request', `${pointer}: ${fault}.`, {
    data: { faults: [{ pointer, message: fault }] },
  });
}
