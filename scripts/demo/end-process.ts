import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-output.mjs';
import { isAlive } from '../processes.mjs';

const POLL_MS = 25;
const KILL_MS = 5_000;

/**
 * Ends the process of a `processMark` with SIGTERM, and with SIGKILL after `termMs`.
 * @throws {CliError} if it does not end
 */
export async function endProcess(mark: string, { name, termMs }: { name: string; termMs: number }): Promise<void> {
  for (const [signal, withinMs] of [['SIGTERM', termMs] as const, ['SIGKILL', KILL_MS] as const]) {
    send(mark, signal);
    if (await until(() => !isAlive(mark), withinMs)) return;
  }
  throw new CliError(`${name} (process ${Number.parseInt(mark, 10)}) does not end; end it by hand`);
}

function send(mark: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number.parseInt(mark, 10), signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

/** Polls until the condition is true. False on timeout. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > end) return false;
    await sleep(POLL_MS);
  }
}
