/** A stop that hangs must not keep the process: so long after its own time it ends as it is, and the next start adopts what is left. */
const PATIENCE_MS = 20_000;
/** A second signal ends at once, unless it comes with the first: a terminal and npm both send one. */
const SAME_SIGNAL_MS = 1_000;

const stops = [];
let isEnding = false;
let endingSince = 0;

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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (isEnding ? endAtOnce() : end(0)));
}

function endAtOnce() {
  if (performance.now() - endingSince > SAME_SIGNAL_MS) process.exit(1);
}

/** What lib/platform/env.ts allows a server to take for its stop, milliseconds. */
function ownTimeMs() {
  const { SHUTDOWN_DELAY_SECONDS = '', DRAIN_SECONDS = '' } = process.env;
  return (Number(SHUTDOWN_DELAY_SECONDS || 0) + Number(DRAIN_SECONDS || 30)) * 1_000;
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
  endingSince = performance.now();
  setTimeout(() => process.exit(1), ownTimeMs() + PATIENCE_MS).unref();
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
