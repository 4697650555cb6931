/**
 * A controller that aborts when `parent` does. Where thousands of streams wait side by side it stands in for
 * `AbortSignal.any`, which keeps several objects more for each.
 */
export function controllerUnder(parent: AbortSignal): AbortController {
  const controller = new AbortController();
  if (parent.aborted) controller.abort(parent.reason);
  else parent.addEventListener('abort', () => controller.abort(parent.reason), { once: true });
  return controller;
}

/** What of an `AbortSignal` those need who only stop when they are told to. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', heard: () => void): void;
  removeEventListener(type: 'abort', heard: () => void): void;
}

/** A controller and its signal in one, for what is made for each message: an `AbortController` costs as much as parsing the message. */
export class StopSwitch implements StopSignal {
  aborted = false;
  reason: unknown;
  private ears: (() => void)[] = [];

  /** Tells all who listen, once. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { ears } = this;
    this.ears = [];
    for (const heard of ears) heard();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: 'abort', heard: () => void): void {
    this.ears.push(heard);
  }

  removeEventListener(_type: 'abort', heard: () => void): void {
    this.ears = this.ears.filter((one) => one !== heard);
  }
}

/**
 * Waits `ms` milliseconds.
 * @throws the signal's reason when it aborts before
 */
export async function pause(ms: number, signal: StopSignal): Promise<void> {
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
