/** A promise that can be replaced: one loop waits, any number of callbacks wake it. */
export interface Wakeup {
  /**
   * The promise that the next {@link Wakeup.notify} resolves. Arm before reading the state that the notification refers
   * to.
   */
  arm: () => Promise<void>;
  notify: () => void;
}

/** A wakeup on which nothing waits yet. */
export function createWakeup(): Wakeup {
  let wake: () => void = () => undefined;
  return {
    arm: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    notify: () => wake(),
  };
}
