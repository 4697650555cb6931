import { executePipelined } from '../../platform/pipelined-connection';
import { processSingleton } from '../../platform/singleton';
import { WriteBatcher, type WriteKind } from '../../platform/write-batcher';

/** The commits in which tasks are written: new ones and what happens to the others, of all requests, together. */
const taskWrites = (): WriteBatcher => processSingleton('journal', () => new WriteBatcher(executePipelined));

/** The way to write one kind of thing in the journal's commits. */
export function batchedWriter<Item, Result>(
  name: string,
  lane: WriteKind<Item, Result>,
): (item: Item) => Promise<Result> {
  return processSingleton(name, () => taskWrites().register(lane));
}

/** Notices name so many objects at most: PostgreSQL takes 8,000 bytes. */
export const MAX_NOTIFY_KEYS = 200;
