import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Clock ticks of /proc are 10 ms on Linux (proc(5), USER_HZ). */
const microsPerTick = 10_000;

/**
 * The CPU time that a process has used since it started, all its threads, user and system.
 *
 * @param {number} pid
 * @returns {number} microseconds
 */
export function cpuMicros(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * microsPerTick;
}

/** Flags for a Node program whose memory {@link memoryOf} measures. */
export const measurable = ['--expose-gc', '--import', new URL('collect.mjs', import.meta.url).href];

/**
 * The memory that a process uses once its garbage is gone (proportional set size).
 *
 * @param {number} pid started with the flags of {@link measurable}
 * @returns {Promise<number>} bytes
 */
export async function memoryOf(pid) {
  for (let known = Number.POSITIVE_INFINITY; ; ) {
    process.kill(pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const bytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;
    // Pages go back to the system a while after their objects: it is asked again until nothing more goes.
    if (bytes > known * 0.995) return bytes;
    known = bytes;
  }
}

/**
 * Starts a program of bench/peers as a process of its own and waits for the line of JSON in which it says where it
 * listens and what a client needs.
 *
 * @param {string} name file in bench/peers, without its ending
 * @param {string[]} [args] what the program is told
 * @param {string[]} [flags] further flags for Node
 * @returns {Promise<{ pid: number, info: any, stop: () => Promise<void> }>}
 */
export async function startPeer(name, args = [], flags = []) {
  const file = fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [...measurable, ...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_ENV: 'production' },
  });
  return { pid: child.pid, info: await firstJson(child), stop: () => endProcess(child) };
}

/**
 * Ends a child in order and waits for it.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
export async function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function firstJson(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line);
  }
  throw new Error('the peer ended before it said where it listens');
}
