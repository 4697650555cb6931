/** The number of open requests of a server. */
export interface OpenRequests {
  begin: () => void;
  end: () => void;
  /** Resolves when no requests are open, or after this time. */
  drained: (withinMs: number) => Promise<void>;
}

/**
 * Counts the open requests. A number instead of a set: a set that changes with every request keeps reallocating its
 * table, and the old tables retain requests until an expensive garbage collection.
 */
export function countRequests(): OpenRequests {
  let open = 0;
  let onChange: () => void = () => undefined;
  return {
    begin() {
      open += 1;
    },
    end() {
      open -= 1;
      onChange();
    },
    drained: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        onChange = () => {
          if (open > 0) return;
          clearTimeout(timer);
          resolve();
        };
        onChange();
      }),
  };
}
