/** Time after the server's own stop time; then the process exits, and the next start recovers remaining work. */
const GRACE_MS = 20_000;
/**
 * Time in which a second signal counts as the first one, because the terminal and npm both send one. A later signal
 * exits immediately.
 */
const SAME_SIGNAL_MS = 1_000;

const stops = [];
/** The action of SIGHUP instead of a shutdown. */
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
 * Makes SIGINT, SIGTERM and SIGHUP an orderly shutdown with exit code 0.
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
 * Calls `restart` at SIGHUP instead of shutting down.
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

/** The time that the server may take to stop (lib/platform/runtime/env.ts), milliseconds. */
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
