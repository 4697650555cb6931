import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Measures every target in every round, rotating the order, and prints medians. Ratios are computed within a round
 * against the first target, so that other load on the machine affects both.
 *
 * @param {object} comparison
 * @param {string} comparison.name
 * @param {number} comparison.rounds
 * @param {number} [comparison.warmUps] preceding rounds that warm up caches and the compiler
 * @param {{ name: string, measure: () => Promise<{ cpu: number, rate: number }>, goal?: number }[]} comparison.targets
 * @returns {Promise<boolean>} true if every goal (a ratio of CPU) is met
 */
export async function compare({ name, rounds, warmUps = 1, targets }) {
  const results = await interleave({ rounds, warmUps, targets });
  const rows = results.map((result) => toRow(result, results[0]));
  console.log(`\n${name}: median of ${rounds} interleaved rounds; CPU is the server's own, µs per request`);
  console.table(
    rows.map(({ target, cpu, range, 'req/s': rate, ratio, goal }) => ({
      target,
      cpu,
      range,
      'req/s': rate,
      ratio,
      goal,
    })),
  );
  saveResults(name, rows);
  return rows.every((row) => row.met);
}

/**
 * Measures every target in every round, rotating the order.
 *
 * @template T, S
 * @param {{ rounds: number, warmUps: number, targets: (T & { measure: () => Promise<S> })[] }} plan
 * @returns {Promise<(T & { samples: S[] })[]>} in the order of the targets; without the samples of the warm-ups
 */
export async function interleave({ rounds, warmUps, targets }) {
  const results = targets.map((target) => ({ ...target, samples: [] }));
  for (let round = 0; round < warmUps + rounds; round++) {
    const order = [...results.slice(round % results.length), ...results.slice(0, round % results.length)];
    for (const result of order) {
      const sample = await result.measure();
      if (round >= warmUps) result.samples.push(sample);
    }
  }
  return results;
}

/**
 * Returns the ratio of a target's CPU to its peer's: the median of the ratios within rounds, so that other load on the
 * machine affects both.
 *
 * @param {{ samples: { cpu: number }[] }} target
 * @param {{ samples: { cpu: number }[] }} peer
 * @returns {number}
 */
export function ratioOf(target, peer) {
  return median(target.samples.map(({ cpu }, round) => cpu / peer.samples[round].cpu));
}

/** Saves measurements in `bench/results`, named after the comparison. */
export function saveResults(name, rows) {
  const folder = fileURLToPath(new URL('../results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(rows, null, 2)}\n`);
}

function toRow(result, reference) {
  const { name, samples, goal } = result;
  const cpus = samples.map(({ cpu }) => cpu);
  const ratio = ratioOf(result, reference);
  const met = goal === undefined || ratio <= goal;
  return {
    target: name,
    cpu: Math.round(median(cpus)),
    range: `${Math.round(Math.min(...cpus))}-${Math.round(Math.max(...cpus))}`,
    'req/s': Math.round(median(samples.map(({ rate }) => rate))),
    ratio: Number(ratio.toFixed(2)),
    goal: goal === undefined ? '' : `<= ${goal} ${met ? 'met' : 'MISSED'}`,
    met,
  };
}

/**
 * Returns the value below which this share of the values lies.
 *
 * @param {number[]} values
 * @param {number} share from 0 to 1
 * @returns {number}
 */
export function quantileOf(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

/** Returns the median. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
