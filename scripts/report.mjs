import { end } from './ending.mjs';

/**
 * An error whose message is all the reader needs: what was found, what was expected, what to do.
 * The command-line entries print it as one line, without a stack, and exit with 1.
 */
export class Refusal extends Error {
  name = 'Refusal';
}

/**
 * Runs one step and prints one line about it with its time.
 * The step returns the line's text, or null when there was nothing to do (then nothing is printed).
 *
 * @param {() => Promise<string | null> | string | null} work
 * @returns {Promise<void>}
 */
export async function step(work) {
  const startedAt = performance.now();
  const done = await work();
  if (done !== null) console.log(`  ${done} (${seconds(startedAt)})`);
}

/**
 * The time since a `performance.now()` mark, as people read it: `1.4 s`.
 *
 * @param {number} since milliseconds
 * @returns {string}
 */
export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command-line entry. A Refusal, a bad variable or an error of the operating system becomes one line on stderr,
 * anything else keeps its stack; what was started is stopped and the exit code is 1.
 *
 * @param {() => Promise<void>} main
 * @returns {Promise<void>}
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(isForReader(error) ? `parley: ${error.message}` : error);
    await end(1);
  }
}

/** A bundle carries its own copy of an error class, so the name decides, not `instanceof`. */
function isForReader(error) {
  return error instanceof Error && (['Refusal', 'EnvError'].includes(error.name) || 'syscall' in error);
}
