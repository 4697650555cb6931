import { executePipelined, type Statement, type TextRow } from '../../platform/pipelined-statements';
import { processSingleton } from '../../platform/singleton';
import { addQueueDelay } from '../../platform/work-delay';
import { WriteBatcher, type WriteKind } from '../../platform/write-batcher';

/** The shared commits of all task writes of this process. */
const taskWrites = (): WriteBatcher<Statement, TextRow[]> =>
  processSingleton('task-writes', () => {
    const batcher = new WriteBatcher<Statement, TextRow[]>(executePipelined);
    addQueueDelay(() => batcher.delayMs());
    return batcher;
  });

/** Registers a kind of write for the shared commits. */
export function batchedWriter<Item, Result>(
  name: string,
  kind: WriteKind<Item, Result, Statement, TextRow[]>,
): (item: Item) => Promise<Result> {
  return processSingleton(name, () => taskWrites().register(kind));
}
