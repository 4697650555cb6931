import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-output.mjs';
import { onHangup } from './shutdown.mjs';

const PROGRAM = fileURLToPath(new URL('./worker.mjs', import.meta.url));
/** Pause before a worker that died is replaced: doubled at each death, reset by a minute of life. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const STABLE_AFTER_MS = 60_000;

/**
 * The number of processes that serve (WORKERS). The server reports a value that is not a number.
 *
 * @returns {number}
 */
export function workerCount() {
  const count = Number(process.env.WORKERS || 1);
  return Number.isInteger(count) && count > 1 && process.env.NODE_ENV === 'production' ? count : 1;
}

/**
 * Serves in `count` processes that share the port; each is a node of its own. This process only supervises: it replaces a
 * worker that dies, and at SIGHUP all of them, one at a time.
 *
 * @param {number} count
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws {Error} the error of the first worker, if it cannot start
 */
export async function startWorkers(count) {
  cluster.setupPrimary({ exec: PROGRAM, args: [] });
  const supervisor = new Supervisor();
  // Alone, so that an invalid variable is reported once.
  const url = await supervisor.start(0);
  await Promise.all(Array.from({ length: count - 1 }, (_, at) => supervisor.start(at + 1)));
  // A terminal that closes ends the program; only a service manager asks for a restart.
  if (!process.stdout.isTTY) onHangup(() => supervisor.restartAll());
  return { url, stop: () => supervisor.stop() };
}

class Supervisor {
  /** The worker in each slot. */
  #workers = [];
  #isStopping = false;
  #isRestarting = false;

  /** Starts the worker of a slot; returns its URL once it serves. */
  async start(slot) {
    const worker = cluster.fork(environmentOf(slot));
    const startedAt = performance.now();
    const url = await untilServing(worker);
    this.#workers[slot] = worker;
    worker.once('exit', (code, signal) => {
      if (this.#isStopping || this.#workers[slot] !== worker) return;
      record('worker.died', { slot, pid: worker.process.pid, reason: signal ?? code });
      const lived = performance.now() - startedAt;
      void this.#replace(slot, lived > STABLE_AFTER_MS ? 0 : FIRST_PAUSE_MS);
    });
    return url;
  }

  async #replace(slot, firstPauseMs) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)) {
      await delay(pauseMs);
      if (this.#isStopping) return;
      try {
        await this.start(slot);
        record('worker.replaced', { slot, pid: this.#workers[slot].process.pid });
        return;
      } catch (error) {
        record('worker.start_failed', { slot, error: error.message });
      }
    }
  }

  /** Each new worker serves before the old one drains. */
  async restartAll() {
    if (this.#isRestarting || this.#isStopping) return;
    this.#isRestarting = true;
    record('workers.restarting', { count: this.#workers.length });
    try {
      for (const [slot, old] of [...this.#workers.entries()]) {
        await this.start(slot);
        if (old.isConnected()) old.send('retire');
        await hasExited(old);
      }
      record('workers.restarted', { count: this.#workers.length });
    } catch (error) {
      record('workers.restart_failed', { error: error.message });
    }
    this.#isRestarting = false;
  }

  /** Drains all workers at once, as one node would. */
  async stop() {
    this.#isStopping = true;
    const all = Object.values(cluster.workers);
    for (const worker of all) worker.process.kill('SIGTERM');
    await Promise.all(all.map(hasExited));
    const failed = all.filter(({ process: { exitCode } }) => exitCode !== 0);
    if (failed.length > 0) throw new CliError(`${failed.length} of ${all.length} workers did not end properly`);
  }
}

/** Each worker serves its own metrics, at consecutive ports. */
function environmentOf(slot) {
  const { METRICS_PORT } = process.env;
  return METRICS_PORT ? { METRICS_PORT: String(Number(METRICS_PORT) + slot) } : {};
}

function untilServing(worker) {
  return new Promise((resolve, reject) => {
    const onExit = (code, signal) => reject(new CliError(`a worker ended before it served (${signal ?? code})`));
    worker.once('exit', onExit);
    worker.once('message', ({ url, failure }) => {
      worker.off('exit', onExit);
      if (failure) reject(Object.assign(new Error(failure.message), failure));
      else resolve(url);
    });
  });
}

function hasExited(worker) {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => worker.once('exit', resolve));
}

/** One line, as the server's log has them. */
function record(event, fields) {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: 'warn', event, ...fields })}\n`);
}
