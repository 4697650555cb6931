/** Preloaded into nodes whose memory is sampled; they need FAULTS_PORT. */
export const sampled = ['--import', new URL('process-faults.mjs', import.meta.url).href];

/**
 * Returns the memory of a node after garbage collection.
 *
 * @param {number} faultsPort of a node started with the flags of {@link sampled}
 * @returns {Promise<{ rss: number, heap: number, code: number }>} megabytes; `code` is the machine code in the heap
 */
export async function sampleMemory(faultsPort) {
  const { rss, heapUsed, code } = await (await fetch(`http://127.0.0.1:${faultsPort}/memory`)).json();
  return { rss: rss / 1_048_576, heap: heapUsed / 1_048_576, code: code / 1_048_576 };
}

/**
 * Formats the heap size at each minute.
 *
 * @param {{ ms: number, heap: number }[]} samples in megabytes
 */
export function byMinute(samples) {
  const startsMinute = ({ ms }, at) => at === 0 || Math.floor(ms / 60_000) > Math.floor(samples[at - 1].ms / 60_000);
  return samples
    .filter(startsMinute)
    .map(({ heap }) => heap.toFixed(1))
    .join(' ');
}

/**
 * Returns the slope of a line through points, by least squares.
 *
 * @param {{ at: number, value: number }[]} points `at` in hours
 * @returns {number} per hour
 */
function slopeOf(points) {
  const mean = (read) => points.reduce((sum, point) => sum + read(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const covariance = mean((point) => (point.at - at) * (point.value - value));
  const variance = mean((point) => (point.at - at) ** 2);
  return variance === 0 ? 0 : covariance / variance;
}

/**
 * Prints the memory of a node; returns the slopes of its resident memory, heap and machine code, in MB/h.
 *
 * @param {{ ms: number, rss: number, heap: number, code: number }[]} samples after the warm-up
 * @param {(name: string, value: string) => void} figure
 */
export function reportMemory(samples, figure) {
  const [first, last] = [samples[0], samples.at(-1)];
  figure('heap at each minute, MB', byMinute(samples));
  for (const name of ['rss', 'heap', 'code'])
    figure(`${name}, MB`, `${first[name].toFixed(1)} to ${last[name].toFixed(1)} (${samples.length} samples)`);
  const slopeIn = (name) => slopeOf(samples.map((sample) => ({ at: sample.ms / 3_600_000, value: sample[name] })));
  const slopes = { rss: slopeIn('rss'), heap: slopeIn('heap'), code: slopeIn('code') };
  const texts = Object.entries(slopes).map(([name, slope]) => `${name} ${slope.toFixed(2)}`);
  figure('slopes after warm-up, MB/h', texts.join(', '));
  return slopes;
}
