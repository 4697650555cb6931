/**
 * The batches of two sources as they arrive. Ends when `first` ends; an error of either ends both. `stop` must end
 * pending reads of both.
 */
export async function* mergeBatches<Item>(
  first: AsyncGenerator<Item[]>,
  second: AsyncGenerator<Item[]>,
  stop: () => void,
): AsyncGenerator<Item[]> {
  const sources = [first, second] as const;
  const read = async (from: 0 | 1): Promise<{ from: 0 | 1; result: IteratorResult<Item[]> }> => ({
    from,
    result: await sources[from].next(),
  });
  const pending: [ReturnType<typeof read>, ReturnType<typeof read>] = [read(0), read(1)];
  try {
    for (;;) {
      const { from, result } = await Promise.race(pending);
      if (!result.done) {
        pending[from] = read(from);
        yield result.value;
      } else if (from === 0) return;
      else pending[1] = new Promise(() => undefined);
    }
  } finally {
    stop();
    // A read that fails after the end is ignored.
    for (const promise of pending) promise.catch(() => undefined);
    await Promise.allSettled([first.return(undefined), second.return(undefined)]);
  }
}
