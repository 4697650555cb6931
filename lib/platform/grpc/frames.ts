import { ParleyError } from '../errors';

/** The length of the prefix of a message: a flag for compression and the size as 32 bits. */
export const FRAME_PREFIX_BYTES = 5;

/** Writes the prefix of an uncompressed message into the first bytes, which were reserved for it. */
export function withFramePrefix(frame: Buffer): Buffer {
  frame[0] = 0;
  frame.writeUInt32BE(frame.length - FRAME_PREFIX_BYTES, 1);
  return frame;
}

/** The error for a message that is larger than the limit. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError';

  constructor(readonly size: number) {
    super(`The message has ${size} bytes.`);
  }
}

/** Splits the body of a call into its messages. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private buffered = 0;

  constructor(private readonly maxBytes: number) {}

  /** Adds bytes of the body. */
  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
  }

  /**
   * Returns the next complete message; null until more bytes are added.
   * @throws {FrameTooLargeError} before the message is complete
   * @throws {ParleyError} `invalid_request` for a compressed message
   */
  next(): Buffer | null {
    if (this.buffered < FRAME_PREFIX_BYTES) return null;
    const head = this.join(FRAME_PREFIX_BYTES);
    if (head[0] !== 0) throw new ParleyError('invalid_request', 'Compressed messages are not accepted.');
    const size = head.readUInt32BE(1);
    if (size > this.maxBytes) throw new FrameTooLargeError(size);
    const end = FRAME_PREFIX_BYTES + size;
    if (this.buffered < end) return null;
    const bytes = this.join(end);
    this.chunks = bytes.length > end ? [bytes.subarray(end)] : [];
    this.buffered = bytes.length - end;
    return bytes.subarray(FRAME_PREFIX_BYTES, end);
  }

  /** True if bytes of an incomplete message remain. */
  get isPartial(): boolean {
    return this.buffered > 0;
  }

  /** Returns the buffered bytes in one piece if the first chunk has fewer than `size`. */
  private join(size: number): Buffer {
    const [first] = this.chunks;
    if (first && first.length >= size) return first;
    const joined = Buffer.concat(this.chunks);
    this.chunks = [joined];
    return joined;
  }
}
