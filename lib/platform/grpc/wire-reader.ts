import { isUtf8 } from 'node:buffer';
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from '../../protocol/limits';
import { ParleyError } from '../errors';

/** Wire types of the Protocol Buffers encoding. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const MAX_VARINT_BYTES = 10;

/**
 * Reads the Protocol Buffers wire format. Limits depth and members as `parseJson` does, because the result is the same
 * JSON.
 * @throws {ParleyError} `parse_error` for data that ends early, is malformed or exceeds a limit
 */
export class WireReader {
  private at = 0;
  private depth = 0;
  private members = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly maxMembers = MAX_JSON_MEMBERS,
  ) {}

  /** Returns true if the message that ends at `end` has another field. */
  hasMore(end: number): boolean {
    if (this.at > end) throw malformed('A field exceeds its message.');
    return this.at < end;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Counts a member or an element of the result. */
  countMember(): void {
    if (++this.members > this.maxMembers)
      throw malformed(`The message has more than ${this.maxMembers.toLocaleString('en-US')} members and elements.`);
  }

  /** Starts a nested object or array. Must be followed by {@link leave}. */
  enter(): void {
    if (++this.depth > MAX_JSON_DEPTH) throw malformed(`The message is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }

  leave(): void {
    this.depth -= 1;
  }

  /** Reads a varint of at most 32 bits; higher bits are dropped, as the specification requires. */
  readUint32(): number {
    const first = this.bytes[this.at];
    if (first !== undefined && first < 0x80) {
      this.at += 1;
      return first;
    }
    return Number(this.readVarint() & 0xffff_ffffn);
  }

  readInt32(): number {
    return this.readUint32() | 0;
  }

  readInt64(): bigint {
    return BigInt.asIntN(64, this.readVarint());
  }

  readBool(): boolean {
    return this.readVarint() !== 0n;
  }

  readDouble(): number {
    const at = this.advance(8);
    return this.bytes.readDoubleLE(at);
  }

  /** Returns the end of the next length-delimited field, which starts at the current position. */
  readEnd(): number {
    const length = this.readUint32();
    const end = this.at + length;
    if (end > this.bytes.length) throw malformed('The message ends in the middle of a field.');
    return end;
  }

  readString(): string {
    const end = this.readEnd();
    const start = this.at;
    this.at = end;
    const text = this.bytes.toString('utf8', start, end);
    // The decoder replaces invalid bytes, so that only texts with a replacement character need a check.
    if (text.includes('\ufffd') && !isUtf8(this.bytes.subarray(start, end)))
      throw malformed('A text is not valid UTF-8.');
    return text;
  }

  /** Returns the bytes of a field in base64. */
  readBase64(): string {
    const end = this.readEnd();
    const start = this.at;
    this.at = end;
    return this.bytes.toString('base64', start, end);
  }

  /** Skips a field that the message does not define. */
  skip(wireType: number): void {
    if (wireType === WIRE.varint) this.readVarint();
    else if (wireType === WIRE.fixed64) this.advance(8);
    else if (wireType === WIRE.fixed32) this.advance(4);
    else if (wireType === WIRE.bytes) this.at = this.readEnd();
    else throw malformed(`A field has the wire type ${wireType}, which proto3 does not use.`);
  }

  private readVarint(): bigint {
    let value = 0n;
    for (let index = 0; index < MAX_VARINT_BYTES; index++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw malformed('The message ends in the middle of a number.');
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed('A number has more than ten bytes.');
  }

  private advance(size: number): number {
    const at = this.at;
    this.at += size;
    if (this.at > this.bytes.length) throw malformed('The message ends in the middle of a number.');
    return at;
  }
}

function malformed(text: string): ParleyError {
  return new ParleyError('parse_error', `The body is not a Protocol Buffers message: ${text}`);
}
