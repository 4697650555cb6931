/** A stop that hangs must not keep the process: after this it ends as it is, and the next start adopts what is left. */
const PATIENCE_MS = 20_000;

const stops = [];
let isEnding = false;

/**
 * Adds what has to be stopped when this process ends; the last one added is stopped first.
 *
 * @param {() => Promise<void>} stop
 * @returns {void}
 */
export function atEnd(stop) {
  stops.unshift(stop);
}

/**
 * Makes SIGINT, SIGTERM and SIGHUP an orderly end with exit code 0.
 *
 * @returns {void}
 */
export function endOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
}

/**
 * Stops everything that was started and ends the process.
 *
 * @param {number} code exit code; 1 when a stop fails
 * @returns {Promise<void>}
 */
export async function end(code) {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  for (const stop of stops) {
    try {
      await stop();
    } catch (error) {
      console.error(`parley: ${error.message}`);
      code = 1;
    }
  }
  process.exit(code);
}
