import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { CURSOR_SETTLE_MS } from '../limits';

/** A reference to a task of the gateway. */
interface TaskRef {
  id: string;
  createdAt: Date;
  lastSeq: number;
}

interface Position {
  /** The creation time of the task, milliseconds since 1970. */
  createdAt: number;
  seq: number;
  /** True if the task's final event was received. */
  finished: boolean;
}

/**
 * A client's position in a conversation, as the `id:` of an event stream: a time before which every task is finished
 * and received, and the positions in all other tasks. Its size does not grow with the conversation.
 */
export class ThreadCursor {
  private constructor(
    private before: number,
    private readonly positions: Map<string, Position>,
  ) {}

  /**
   * Parses a cursor sent by a client; null or empty text is the beginning.
   * @throws {ParleyError} `invalid_request` for a malformed cursor
   */
  static parse(text: string | null, now: Date): ThreadCursor {
    if (text === null || text === '') return new ThreadCursor(0, new Map());
    const [time = '', ...entries] = text.split('.');
    const positions = entries.map(parseEntry);
    if (!/^[0-9a-z]{1,9}$/.test(time) || positions.includes(null)) {
      const found = `Last-Event-ID: found "${text.slice(0, 40)}"; expected an ID of this stream, or no header.`;
      throw new ParleyError('invalid_request', found);
    }
    // A time in the future would hide future tasks.
    const before = Math.min(Number.parseInt(time, 36), now.getTime() - CURSOR_SETTLE_MS);
    return new ThreadCursor(before, new Map(positions.filter((position) => position !== null)));
  }

  /** The last received sequence number of a task. An impossible position counts as 0, so that no event is skipped. */
  seqOf({ id, createdAt, lastSeq }: TaskRef): number {
    const position = this.positions.get(id);
    if (!position) return createdAt.getTime() <= this.before ? lastSeq : 0;
    return position.seq <= lastSeq ? position.seq : 0;
  }

  /**
   * Records a position in a task. Record all tasks of one query with `seq` 0 before reading the events of any of them.
   */
  advance(task: { id: string; createdAt: Date }, seq: number, finished: boolean): void {
    this.positions.set(task.id, { createdAt: task.createdAt.getTime(), seq, finished });
    const newest = Math.max(...[...this.positions.values()].map(({ createdAt }) => createdAt));
    this.before = Math.max(this.before, newest - CURSOR_SETTLE_MS);
    for (const [id, position] of this.positions) {
      if (position.finished && position.createdAt <= this.before) this.positions.delete(id);
    }
  }

  /** Printable ASCII without spaces, valid as an SSE `id:` and as a header value. */
  toString(): string {
    return [this.before.toString(36), ...[...this.positions].map(formatEntry)].join('.');
  }
}

const entryPattern = /^([\w-]{22}):([0-9a-z]{1,9}):([0-9a-z]{1,6}):([oc])$/;

function parseEntry(text: string): [string, Position] | null {
  const [, id = '', createdAt = '', seq = '', flag] = entryPattern.exec(text) ?? [];
  const taskId = Buffer.from(id, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(taskId)) return null;
  return [taskId, { createdAt: Number.parseInt(createdAt, 36), seq: Number.parseInt(seq, 36), finished: flag === 'c' }];
}

function formatEntry([taskId, { createdAt, seq, finished }]: [string, Position]): string {
  const id = Buffer.from(taskId.replaceAll('-', ''), 'hex').toString('base64url');
  return [id, createdAt.toString(36), seq.toString(36), finished ? 'c' : 'o'].join(':');
}
