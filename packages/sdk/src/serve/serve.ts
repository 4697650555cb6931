import { type ConnectOptions, connect } from './connect.js';

export type ServeOptions = ConnectOptions & {
  /** How long running turns may take after SIGTERM or SIGINT, milliseconds; defaults to 25,000. */
  drainMs?: number;
};

/** The part of Node's `process` that is used here; other runtimes have none. */
interface SignalSource {
  once(signal: string, listener: () => void): void;
  removeListener(signal: string, listener: () => void): void;
}

const DRAIN_MS = 25_000;
const SIGNALS = ['SIGTERM', 'SIGINT'];

/**
 * Serves an agent until the process is asked to stop: SIGTERM and SIGINT finish the running turns first. A second
 * signal ends the process at once.
 * @throws {ParleyError} when Parley refuses the worker for good
 * @throws {TypeError} for invalid options
 */
export async function serve({ drainMs = DRAIN_MS, ...options }: ServeOptions): Promise<void> {
  const connection = await connect(options);
  const { process } = globalThis as { process?: SignalSource };
  const drain = (): void => {
    for (const signal of SIGNALS) process?.removeListener(signal, drain);
    void connection.drain({ timeoutMs: drainMs });
  };
  for (const signal of SIGNALS) process?.once(signal, drain);
  try {
    await connection.closed;
  } finally {
    for (const signal of SIGNALS) process?.removeListener(signal, drain);
  }
}
