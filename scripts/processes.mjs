import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Returns a mark that identifies a live process and distinguishes it from a later one with the same id; null if it no
 * longer exists. On Linux, the mark includes the start time, on other systems only the id. A zombie counts as ended.
 *
 * @param {number} pid
 * @returns {string | null}
 */
export function processMark(pid) {
  if (existsSync('/proc/self/stat')) {
    const stat = readProcess(pid);
    return stat === null || stat.state === 'Z' ? null : `${pid}:${stat.startedAt}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}:`;
  } catch (error) {
    return error.code === 'EPERM' ? `${pid}:` : null;
  }
}

/**
 * Returns true if the process of a `processMark` is still alive.
 *
 * @param {string} mark
 * @returns {boolean}
 */
export function isAlive(mark) {
  return processMark(Number.parseInt(mark, 10)) === mark;
}

/**
 * Returns true if a process id belongs to a live program of that name; without /proc, if the process is alive.
 *
 * @param {number} pid
 * @param {string} program
 * @returns {boolean}
 */
export function isProgram(pid, program) {
  if (!existsSync('/proc/self/stat')) return processMark(pid) !== null;
  const stat = readProcess(pid);
  return stat !== null && stat.state !== 'Z' && stat.program === program;
}

/** proc(5): `pid (comm) state … starttime` is field 22; comm may contain spaces and parentheses. */
function readProcess(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const afterName = text.lastIndexOf(')');
  const fields = text.slice(afterName + 2).split(' ');
  return { program: text.slice(text.indexOf('(') + 1, afterName), state: fields[0], startedAt: fields[19] };
}

/**
 * Returns a free TCP port. The port is below the range from which systems assign ports to outgoing connections (Linux:
 * 32768 and up), so that no outgoing connection uses it before it is bound.
 *
 * @param {string} [host]
 * @returns {Promise<number>}
 */
export async function freePort(host = '127.0.0.1') {
  for (;;) {
    const port = randomInt(15_000, 32_768);
    if ((await probePort({ port, host })) === 'free') return port;
  }
}

/**
 * Checks if a port can be bound. Rejects for any error other than a taken or forbidden port, such as an unknown host.
 *
 * @param {{ port: number, host: string }} address
 * @returns {Promise<'free' | 'taken' | 'forbidden'>}
 */
export function probePort({ port, host }) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else if (error.code === 'EACCES') resolve('forbidden');
      else reject(error);
    });
    server.listen({ port, host }, () => server.close(() => resolve('free')));
  });
}
