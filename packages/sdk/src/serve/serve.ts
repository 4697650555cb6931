import { type ConnectOptions, connect } from './connect.js';

export type ServeOptions = ConnectOptions & {
  /** Maximum time of running turns after SIGTERM or SIGINT, in milliseconds; defaults to 25,000. */
  drainMs?: number;
};

/** The members of Node's `process` that are used here; other runtimes have none. */
interface SignalSource {
  once(signal: string, listener: () => void): void;
  removeListener(signal: string, listener: () => void): void;
}

const DRAIN_MS = 25_000;
const SIGNALS = ['SIGTERM', 'SIGINT'];

/**
 * Serves an agent until the process is asked to stop: SIGTERM and SIGINT finish the running turns first. A second
 * signal ends the process immediately.
 * @throws {ParleyError} if Parley refuses the worker permanently
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
