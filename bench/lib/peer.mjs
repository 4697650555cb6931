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

/**
 * Starts a program of bench/peers as a process of its own and waits for the line of JSON in which it says where it
 * listens and what a client needs.
 *
 * @param {string} name file in bench/peers, without its ending
 * @param {string[]} [args] what the program is told
 * @returns {Promise<{ pid: number, info: any, stop: () => Promise<void> }>}
 */
export async function startPeer(name, args = []) {
  const file = fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
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
