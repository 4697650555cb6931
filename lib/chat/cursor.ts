import { ParleyError } from '../platform/errors';
import { isUuid } from '../platform/ids';

/** A task as the gateway names it. */
interface TaskRef {
  id: string;
  createdAt: Date;
  lastSeq: number;
}

interface Position {
  /** When the task was begun, milliseconds. */
  createdAt: number;
  seq: number;
  /** The task's last event was seen: nothing more will come. */
  finished: boolean;
}

/**
 * A task counts as begun at the time of its request, which is a little before anyone can see it. Until a finished task is
 * this much older than the newest one, it is listed by itself instead of being covered by `before`.
 */
const settleWindowMs = 60_000;

/**
 * What a reader has seen of a conversation, as one `id:` of an event stream: a time up to which every task is finished and
 * seen, then the positions in all others. Stays small however long the conversation gets.
 */
export class ThreadCursor {
  private constructor(
    private before: number,
    private readonly positions: Map<string, Position>,
  ) {}

  /**
   * Reads a cursor that a client gives back; none means that nothing was seen.
   * @throws {ParleyError} `invalid_request` for text that is not one of ours
   */
  static parse(text: string | null, now: Date): ThreadCursor {
    if (text === null || text === '') return new ThreadCursor(0, new Map());
    const [time = '', ...entries] = text.split('.');
    const positions = entries.map(parseEntry);
    if (!/^[0-9a-z]{1,9}$/.test(time) || positions.includes(null)) {
      const found = `Last-Event-ID: found "${text.slice(0, 40)}"; send an id of this stream, or none.`;
      throw new ParleyError('invalid_request', found);
    }
    // A time to come would hide tasks to come.
    const before = Math.min(Number.parseInt(time, 36), now.getTime() - settleWindowMs);
    return new ThreadCursor(before, new Map(positions.filter((position) => position !== null)));
  }

  /** The sequence number seen of a task. A position that cannot be counts as 0, so that nothing is skipped. */
  seqOf({ id, createdAt, lastSeq }: TaskRef): number {
    const position = this.positions.get(id);
    if (!position) return createdAt.getTime() <= this.before ? lastSeq : 0;
    return position.seq <= lastSeq ? position.seq : 0;
  }

  /** Notes how far a task was seen; `seq` 0 says that it is there. All tasks found at once are to be noted before any is read. */
  advance(task: { id: string; createdAt: Date }, seq: number, over: boolean): void {
    this.positions.set(task.id, { createdAt: task.createdAt.getTime(), seq, finished: over });
    const newest = Math.max(...[...this.positions.values()].map(({ createdAt }) => createdAt));
    this.before = Math.max(this.before, newest - settleWindowMs);
    for (const [id, position] of this.positions) {
      if (position.finished && position.createdAt <= this.before) this.positions.delete(id);
    }
  }

  /** Printable ASCII without spaces, as `id:` and a header need it. */
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

function formatEntry([taskId, { createdAt, seq, finished: over }]: [string, Position]): string {
  const id = Buffer.from(taskId.replaceAll('-', ''), 'hex').toString('base64url');
  return [id, createdAt.toString(36), seq.toString(36), over ? 'c' : 'o'].join(':');
}
