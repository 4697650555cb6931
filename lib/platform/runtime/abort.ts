/**
 * Returns a controller that aborts when `parent` aborts. Uses less memory than `AbortSignal.any`, which matters with
 * thousands of open streams.
 */
export function childController(parent: AbortSignal): AbortController {
  const controller = new AbortController();
  if (parent.aborted) controller.abort(parent.reason);
  else parent.addEventListener('abort', () => controller.abort(parent.reason), { once: true });
  return controller;
}

/** The part of `AbortSignal` that abortable code uses. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A controller and its signal in one object. Created once per message, because an `AbortController` takes as long to
 * create as a message to parse.
 */
export class LightAbortController implements AbortSignalLike {
  aborted = false;
  reason: unknown;
  private listeners: (() => void)[] = [];

  /** Notifies all listeners, once. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners = this.listeners.filter((other) => other !== listener);
  }
}

/**
 * Waits `ms` milliseconds.
 * @throws the signal's reason if it aborts before the time has passed
 */
export async function sleep(ms: number, signal: AbortSignalLike): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}

/** A replaceable promise that one loop awaits and any number of callbacks resolve. */
interface Wakeup {
  /**
   * Returns the promise that the next {@link Wakeup.notify} resolves. Must be called before reading the state to which
   * the notification refers.
   */
  arm: () => Promise<void>;
  notify: () => void;
}

/** Creates a wakeup that nothing awaits yet. */
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
