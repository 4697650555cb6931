/** The clock of a worker. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels the call. */
  schedule(ms: number, callback: () => void): () => void;
}

/**
 * The system clock. Its timers do not keep the process alive and never fire early, unlike Node's, which fire up to 2 ms
 * early.
 */
const systemClock: Clock = {
  now: Date.now,
  schedule(ms, callback) {
    const timer = setTimeout(callback, ms + 2).unref();
    return () => clearTimeout(timer);
  },
};

export interface WorkerOptions<Job> {
  /** Maximum jobs in progress on this node. */
  concurrency: number;
  /**
   * Maximum time between two polls, milliseconds. Polls are necessary because notifications may be lost and leases of
   * other nodes expire.
   */
  pollMs: number;
  /** Leases at most `limit` due jobs to this node. `active` are the jobs in progress on this node. */
  claim: (limit: number, active: ReadonlySet<Job>) => Promise<Job[]>;
  /** Runs a claimed job. Must release its lease or let it expire, even if `signal` aborts because the worker stops. */
  run: (job: Job, signal: AbortSignal) => Promise<void>;
  /** Subscribes to notifications of due jobs, until the worker stops. Returns the functions that unsubscribe. */
  subscribe: (wake: () => void) => (() => void)[];
  /** Reports a failed claim or run. Not called after the worker has been stopped. */
  onError: (error: unknown) => void;
  clock?: Clock;
}

export interface Worker {
  /** Starts polling, once. */
  start(): void;
  /** Polls immediately, or at `dueAt` if that is before the next regular poll. */
  wake(dueAt?: Date): void;
  /** Stops claiming, aborts the jobs in progress and waits for them for at most `withinMs` milliseconds. */
  stop(withinMs?: number): Promise<void>;
}

/**
 * Runs jobs that are leased from a table that all nodes share. Polls at the start, when woken, after each job, and at
 * an interval; each poll claims as many jobs as there are free slots. A failed claim is retried by the next regular
 * poll or notification. Never throws, if `onError` does not.
 */
export function createWorker<Job>(options: WorkerOptions<Job>): Worker {
  const { concurrency, pollMs, claim, run, subscribe, onError, clock = systemClock } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const active = new Set<Job>();
  const unsubscribes: (() => void)[] = [];
  let isStarted = false;
  let isPolling = false;
  /** Jobs may have become due since the last claim started. */
  let isPollRequested = false;
  let cancelRegularPoll = (): void => undefined;
  let idleCallbacks: (() => void)[] = [];

  function poll(): void {
    isPollRequested = true;
    if (isStarted && !isPolling && !signal.aborted) void claimRequested();
  }

  async function claimRequested(): Promise<void> {
    isPolling = true;
    cancelRegularPoll();
    while (isPollRequested && active.size < concurrency && !signal.aborted) {
      isPollRequested = false;
      try {
        for (const job of await claim(concurrency - active.size, active)) void execute(job);
      } catch (error) {
        report(error);
      }
    }
    isPolling = false;
    if (!signal.aborted) cancelRegularPoll = clock.schedule(pollMs, poll);
    else notifyIfIdle();
  }

  async function execute(job: Job): Promise<void> {
    active.add(job);
    try {
      await run(job, signal);
    } catch (error) {
      report(error);
    }
    active.delete(job);
    poll();
    notifyIfIdle();
  }

  function report(error: unknown): void {
    if (!signal.aborted) onError(error);
  }

  function notifyIfIdle(): void {
    if (isPolling || active.size > 0) return;
    const callbacks = idleCallbacks;
    idleCallbacks = [];
    for (const callback of callbacks) callback();
  }

  return {
    start() {
      if (isStarted || signal.aborted) return;
      isStarted = true;
      unsubscribes.push(...subscribe(poll));
      poll();
    },
    wake(dueAt) {
      const delay = dueAt ? dueAt.getTime() - clock.now() : 0;
      if (delay <= 0) poll();
      else if (delay < pollMs) clock.schedule(delay, poll);
    },
    async stop(withinMs) {
      for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
      cancelRegularPoll();
      controller.abort();
      await new Promise<void>((resolve) => {
        if (withinMs !== undefined) idleCallbacks.push(clock.schedule(withinMs, resolve));
        idleCallbacks.push(resolve);
        notifyIfIdle();
      });
    },
  };
}
