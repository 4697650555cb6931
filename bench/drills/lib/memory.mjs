import { readFileSync } from 'node:fs';
import { wait } from './wait.mjs';

/**
 * The memory of a node after garbage collection.
 *
 * @param {{ pid: number, metricsPort: number }} node started with the flags of `measurable`
 * @returns {Promise<{ rss: number, heap: number }>} megabytes
 */
export async function sampleMemory({ pid, metricsPort }) {
  process.kill(pid, 'SIGUSR2');
  await wait(1_000);
  const rss = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const heap = Number(/^process_memory_heap\S* (\d+)/m.exec(metrics)[1]) / 1_048_576;
  return { rss, heap };
}

/**
 * The slope of a line through points, by least squares.
 *
 * @param {{ at: number, value: number }[]} points `at` in hours
 * @returns {number} per hour
 */
export function slopeOf(points) {
  const mean = (read) => points.reduce((sum, point) => sum + read(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const covariance = mean((point) => (point.at - at) * (point.value - value));
  const variance = mean((point) => (point.at - at) ** 2);
  return variance === 0 ? 0 : covariance / variance;
}
