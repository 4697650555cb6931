import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-output.mjs';
import { onHangup } from './shutdown.mjs';

const PROGRAM = fileURLToPath(new URL('./worker.mjs', import.meta.url));
/** Delay before a worker that died is replaced: doubled after each death, reset to zero after a minute of operation. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const STABLE_AFTER_MS = 60_000;

/**
 * Returns the number of processes that serve (WORKERS), and a warning about it. The server reports a value that is not
 * a number.
 *
 * @param {{ env?: Record<string, string | undefined>, cores?: number }} [machine]
 * @returns {{ count: number, warning: string | null }}
 */
export function planWorkers({ env = process.env, cores = availableParallelism() } = {}) {
  const count = Number(env.WORKERS || 1);
  if (!Number.isInteger(count) || count <= 1) return { count: 1, warning: null };
  if (env.NODE_ENV !== 'production') {
    return { count: 1, warning: `WORKERS: found ${count}; npm run dev serves in one process, npm start in ${count}` };
  }
  const warning = `WORKERS: found ${count}; this machine has ${cores} cores, and more workers than cores are slower; expected at most ${cores}`;
  return { count, warning: count > cores ? warning : null };
}

/**
 * Returns the delay before a worker that died is replaced.
 *
 * @param {number} previousMs the previous delay of its slot; 0 if there was none
 * @param {number} livedMs the time for which it served; 0 if it did not start
 * @returns {number} milliseconds
 */
export function nextPause(previousMs, livedMs) {
  return livedMs >= STABLE_AFTER_MS ? 0 : Math.min(Math.max(previousMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/**
 * Serves in `count` processes that share the port; each is a separate node. This process only supervises: it replaces a
 * worker that dies, and on SIGHUP replaces all of them, one at a time.
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
  // Closing a terminal ends the program; only a service manager requests a restart.
  if (!process.stdout.isTTY) onHangup(() => supervisor.restartAll());
  return { url, stop: () => supervisor.stop() };
}

/**
 * Serves in a separate process that can be restarted, for development.
 *
 * @returns {Promise<{ url: string, restart: () => Promise<void>, stop: () => Promise<void> }>}
 */
export async function startReplaceableServer() {
  cluster.setupPrimary({ exec: PROGRAM, args: [] });
  const supervisor = new Supervisor();
  const url = await supervisor.start(0);
  return { url, restart: () => supervisor.restart(0), stop: () => supervisor.stop() };
}

class Supervisor {
  /** The worker in each slot. */
  #workers = [];
  /** The last delay of each slot, milliseconds. */
  #pauses = [];
  /** The start in progress of each slot; never rejects, because the caller of `start` handles its error. */
  #starting = [];
  #isStopping = false;
  #isRestarting = false;

  /** Starts the worker of a slot; returns its URL once it serves. */
  start(slot) {
    const started = this.#start(slot);
    this.#starting[slot] = started.catch(() => undefined);
    return started;
  }

  async #start(slot) {
    const previous = this.#workers[slot];
    const worker = cluster.fork(environmentOf(slot));
    const url = await untilServing(worker);
    // Another worker is in the slot, because a restart of all workers coincided with the replacement of a dead one.
    if (this.#workers[slot] !== previous) {
      retire(worker);
      return url;
    }
    this.#workers[slot] = worker;
    const startedAt = performance.now();
    worker.once('exit', (code, signal) => {
      if (this.#isStopping || this.#workers[slot] !== worker) return;
      const pauseMs = this.#setPause(slot, performance.now() - startedAt);
      record('worker.died', { slot, pid: worker.process.pid, reason: signal ?? code, pauseMs });
      void this.#replace(slot, worker);
    });
    return url;
  }

  #setPause(slot, livedMs) {
    this.#pauses[slot] = nextPause(this.#pauses[slot] ?? 0, livedMs);
    return this.#pauses[slot];
  }

  async #replace(slot, dead) {
    while (true) {
      await delay(this.#pauses[slot]);
      if (this.#isStopping || this.#workers[slot] !== dead) return;
      try {
        await this.start(slot);
        record('worker.replaced', { slot, pid: this.#workers[slot]?.process.pid });
        return;
      } catch (error) {
        if (this.#isStopping) return;
        record('worker.start_failed', { slot, error: error.message, pauseMs: this.#setPause(slot, 0) });
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
        retire(old);
        await hasExited(old);
      }
      record('workers.restarted', { count: this.#workers.length });
    } catch (error) {
      record('workers.restart_failed', { error: error.message });
    }
    this.#isRestarting = false;
  }

  /** Stops the worker of a slot, then starts another: only one process can compile pages. */
  async restart(slot) {
    // The replacement of a worker that died.
    await this.#starting[slot];
    const old = this.#workers[slot];
    this.#workers[slot] = undefined;
    if (old) {
      retire(old);
      await hasExited(old);
    }
    await this.start(slot);
  }

  /** Drains all workers at the same time, as a single node would. */
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

/** Stops a worker after it has finished its calls. */
function retire(worker) {
  if (worker.isConnected()) worker.send('retire');
}

function hasExited(worker) {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => worker.once('exit', resolve));
}

/** One line in the format of the server's log. */
function record(event, fields) {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: 'warn', event, ...fields })}\n`);
}
