import { shutDown } from './shutdown.mjs';

/**
 * A user-facing error, whose message states the cause, the expected value and the next step. The commands print it as
 * one line without a stack and exit with 1.
 */
export class CliError extends Error {
  name = 'CliError';
}

/**
 * Runs one step and prints its text and duration as one line. A step without any work returns null and prints nothing.
 *
 * @param {() => Promise<string | null> | string | null} work
 * @returns {Promise<string | null>} the text
 */
export async function step(work) {
  const startedAt = performance.now();
  const done = await work();
  if (done !== null) console.log(`  ${done} (${seconds(startedAt)})`);
  return done;
}

/**
 * Returns the time since a `performance.now()` mark, formatted: `1.4 s`.
 *
 * @param {number} since milliseconds
 * @returns {string}
 */
export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command. A CliError, an invalid variable, a release that may not run or a system error becomes one line on
 * stderr; other errors keep their stack. After an error, all started programs are stopped and the exit code is that of
 * the error, or 1.
 *
 * @param {() => Promise<void>} main
 * @returns {Promise<void>}
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(isUserError(error) ? `parley: ${error.message}` : error);
    await shutDown(error.exitCode ?? 1);
  }
}

/** Returns true for a user-facing error. Compares by name, because a bundle contains its own copy of an error class. */
function isUserError(error) {
  return (
    error instanceof Error && (['CliError', 'EnvError', 'ReleaseError'].includes(error.name) || 'syscall' in error)
  );
}
