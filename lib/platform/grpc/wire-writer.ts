const INITIAL_BYTES = 65_536;
/** The scratch buffer is released after a message of this size, so that one large message does not keep its memory. */
const MAX_KEPT_BYTES = 1_048_576;
/** UTF-8 needs at most 3 bytes for a UTF-16 unit. Texts up to this length have a one-byte length. */
const MAX_SHORT_TEXT = 42;

let scratch = Buffer.allocUnsafeSlow(INITIAL_BYTES);

/**
 * Writes the Protocol Buffers wire format. All writers share one buffer, so a message must be written completely, by
 * {@link finish}, before the next one is started.
 */
export class WireWriter {
  private at: number;

  /** `reserved` bytes at the start are left to the caller. */
  constructor(private readonly reserved = 0) {
    this.at = reserved;
  }

  /** Returns a copy of the reserved bytes and the message. */
  finish(): Buffer {
    const message = Buffer.allocUnsafe(this.at);
    scratch.copy(message, 0, 0, this.at);
    if (scratch.length > MAX_KEPT_BYTES) scratch = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return message;
  }

  get size(): number {
    return this.at - this.reserved;
  }

  writeUint32(value: number): void {
    this.ensure(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      scratch[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    scratch[this.at++] = rest;
  }

  /** Writes a whole number that a double represents exactly; a negative one has ten bytes. */
  writeInt64(value: number): void {
    if (value >= 0 && value <= 0xffff_ffff) {
      this.writeUint32(value);
      return;
    }
    this.ensure(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      scratch[this.at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    scratch[this.at++] = Number(rest);
  }

  writeDouble(value: number): void {
    this.ensure(8);
    scratch.writeDoubleLE(value, this.at);
    this.at += 8;
  }

  /** Writes the length and the UTF-8 of a text. */
  writeString(text: string): void {
    this.ensure(3 * text.length + 5);
    if (text.length <= MAX_SHORT_TEXT) {
      const size = scratch.write(text, this.at + 1, 'utf8');
      scratch[this.at] = size;
      this.at += size + 1;
      return;
    }
    this.writeUint32(Buffer.byteLength(text));
    this.at += scratch.write(text, this.at, 'utf8');
  }

  /** Writes the length and the bytes of base64 or base64url text. */
  writeBase64(text: string): void {
    this.writeBytes(Buffer.from(text, 'base64'));
  }

  writeBytes(bytes: Buffer): void {
    this.writeUint32(bytes.length);
    this.ensure(bytes.length);
    bytes.copy(scratch, this.at);
    this.at += bytes.length;
  }

  /** Starts a length-delimited message; returns the position for {@link endMessage}. */
  beginMessage(): number {
    this.ensure(1);
    return this.at++;
  }

  /** Writes the length of the message that {@link beginMessage} started. One byte was left for it. */
  endMessage(start: number): void {
    const size = this.at - start - 1;
    if (size < 0x80) {
      scratch[start] = size;
      return;
    }
    const extra = size < 0x4000 ? 1 : size < 0x20_0000 ? 2 : size < 0x1000_0000 ? 3 : 4;
    this.ensure(extra);
    scratch.copyWithin(start + 1 + extra, start + 1, this.at);
    const end = this.at + extra;
    this.at = start;
    this.writeUint32(size);
    this.at = end;
  }

  private ensure(size: number): void {
    if (this.at + size <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * scratch.length, this.at + size));
    scratch.copy(larger, 0, 0, this.at);
    scratch = larger;
  }
}
