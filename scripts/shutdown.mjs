/** Time after the server's own stop time; then the process exits, and the next start recovers remaining work. */
const GRACE_MS = 20_000;
/**
 * Period in which a second signal counts as a repetition of the first, because the terminal and npm both send one. A
 * later signal exits immediately.
 */
const SAME_SIGNAL_MS = 1_000;

const stops = [];
/** Action of SIGHUP that replaces the shutdown; null if there is none. */
let hangup = null;
let isShuttingDown = false;
let shutdownStartedAt = 0;

/**
 * Registers a function that runs at shutdown; the last one registered runs first.
 *
 * @param {() => Promise<void>} stop
 * @returns {void}
 */
export function onShutdown(stop) {
  stops.unshift(stop);
}

/**
 * Shuts down in an orderly way, with exit code 0, on SIGINT, SIGTERM and SIGHUP.
 *
 * @returns {void}
 */
export function shutDownOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (isShuttingDown) exitNow();
      else if (signal === 'SIGHUP' && hangup) hangup();
      else void shutDown(0);
    });
}

/**
 * Calls `restart` on SIGHUP instead of shutting down.
 *
 * @param {() => void} restart
 * @returns {void}
 */
export function onHangup(restart) {
  hangup = restart;
}

function exitNow() {
  if (performance.now() - shutdownStartedAt > SAME_SIGNAL_MS) process.exit(1);
}

/** Returns the time that the server may take to stop (lib/platform/runtime/env.ts), in milliseconds. */
function serverStopMs() {
  const { SHUTDOWN_DELAY_SECONDS = '', DRAIN_SECONDS = '' } = process.env;
  return (Number(SHUTDOWN_DELAY_SECONDS || 0) + Number(DRAIN_SECONDS || 30)) * 1_000;
}

/**
 * Runs the registered functions and exits.
 *
 * @param {number} code exit code; 1 if a function fails
 * @returns {Promise<void>}
 */
export async function shutDown(code) {
  if (isShuttingDown) return;
  isShuttingDown = true;
  shutdownStartedAt = performance.now();
  setTimeout(() => process.exit(1), serverStopMs() + GRACE_MS).unref();
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
