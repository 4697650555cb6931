/** Maximum size of one message of a server. */
const MAX_LINE_BYTES = 8_388_608;
/** Bytes at the start and end of a longer line in which its id is looked for. */
const EDGE_BYTES = 256;
const NEWLINE = 0x0a;

export interface LineListener {
  onLine: (line: string) => void;
  /** Called with the id of a message that is too long; null if it is unknown. */
  onTooLong: (id: number | null) => void;
}

/** Divides the output of a process into lines, with a maximum for the memory that one line takes. */
export class LineReader {
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** The start of a line that is too long. */
  private head: Buffer | null = null;
  private tail = Buffer.alloc(0);

  constructor(private readonly listener: LineListener) {}

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.add(chunk.subarray(from, end));
      this.finish();
      from = end + 1;
    }
    if (from < chunk.length) this.add(chunk.subarray(from));
  }

  private add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes <= MAX_LINE_BYTES) this.chunks.push(piece);
    else {
      this.head ??= Buffer.from(Buffer.concat([...this.chunks, piece.subarray(0, EDGE_BYTES)]).subarray(0, EDGE_BYTES));
      this.chunks = [];
      this.tail = Buffer.from(Buffer.concat([this.tail, piece]).subarray(-EDGE_BYTES));
    }
  }

  private finish(): void {
    const { head, tail, chunks } = this;
    this.chunks = [];
    this.bytes = 0;
    this.head = null;
    this.tail = Buffer.alloc(0);
    if (head) this.listener.onTooLong(idOf(head.toString(), tail.toString()));
    else this.listener.onLine(Buffer.concat(chunks).toString());
  }
}

/** Returns the id that a message starts or ends with, as servers write it. */
function idOf(head: string, tail: string): number | null {
  const [, id] = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/.exec(head) ?? [];
  const [, last] = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail) ?? [];
  const found = id ?? last;
  return found === undefined ? null : Number(found);
}
