import { WriteBatcher, type WriteKind } from '../../platform/batches';
import { executePipelined, type Statement, type TextRow } from '../../platform/db/pipelined-statements';
import { once } from '../../platform/runtime/once';
import { addQueueDelay } from '../../platform/runtime/work-delay';

/** The shared commits of all task writes of this process. */
const taskWrites = once((): WriteBatcher<Statement, TextRow[]> => {
  const batcher = new WriteBatcher<Statement, TextRow[]>(executePipelined);
  addQueueDelay(() => batcher.delayMs());
  return batcher;
});

/** A function that writes items of one kind in the shared commits. */
export function batchedWriter<Item, Result>(
  kind: WriteKind<Item, Result, Statement, TextRow[]>,
): (item: Item) => Promise<Result> {
  const writer = once(() => taskWrites().register(kind));
  return (item) => writer()(item);
}
