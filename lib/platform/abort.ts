/**
 * A controller that aborts when `parent` does. Where thousands of streams wait side by side it stands in for
 * `AbortSignal.any`, which keeps several objects more for each.
 */
export function childController(parent: AbortSignal): AbortController {
  const controller = new AbortController();
  if (parent.aborted) controller.abort(parent.reason);
  else parent.addEventListener('abort', () => controller.abort(parent.reason), { once: true });
  return controller;
}

/** What of an `AbortSignal` those need who only stop when they are told to. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A controller and its signal in one, for what is made for each message: an `AbortController` costs as much as parsing the message. */
export class LightAbortController implements AbortSignalLike {
  aborted = false;
  reason: unknown;
  private listeners: (() => void)[] = [];

  /** Tells all who listen, once. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { listeners: ears } = this;
    this.listeners = [];
    for (const listener of ears) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners = this.listeners.filter((one) => one !== listener);
  }
}

/**
 * Waits `ms` milliseconds.
 * @throws the signal's reason when it aborts before
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
