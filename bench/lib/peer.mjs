import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Returns the CPU time of a process: user and system time of all its running threads. Uses the clock of the scheduler,
 * because `/proc/<pid>/stat` counts in steps of 10 ms.
 *
 * @param {number} pid
 * @returns {number} microseconds
 */
export function cpuMicros(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanosOf = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return threads.reduce((sum, thread) => sum + nanosOf(thread), 0) / 1_000;
}

/** Node flags required by {@link memoryOf}. */
export const measurable = ['--expose-gc', '--import', new URL('collect.mjs', import.meta.url).href];

/**
 * Returns the memory of a process after garbage collection (proportional set size).
 *
 * @param {number} pid started with the flags of {@link measurable}
 * @returns {Promise<number>} bytes
 */
export async function memoryOf(pid) {
  for (let previous = Number.POSITIVE_INFINITY; ; ) {
    process.kill(pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const bytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;
    // Pages return to the system later than their objects: repeat until the size is stable.
    if (bytes > previous * 0.995) return bytes;
    previous = bytes;
  }
}

/**
 * Starts a program of bench/peers in its own process and waits for its line of JSON with the port and the data that a
 * client needs.
 *
 * @param {string} name file in bench/peers, without extension
 * @param {string[]} [args] the program's arguments
 * @param {string[]} [flags] additional Node flags
 * @returns {Promise<{ pid: number, info: any, stop: () => Promise<void> }>}
 */
export async function startPeer(name, args = [], flags = []) {
  const file = fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [...measurable, ...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_ENV: 'production' },
  });
  return { pid: child.pid, info: await firstJson(child), stop: () => stopProcess(child) };
}

/**
 * Stops a child process with SIGTERM and waits for its exit.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

async function firstJson(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line);
  }
  throw new Error('the peer exited before it printed its port');
}
