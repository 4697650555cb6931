// npm run bench:gate: measures the six ratios of bench/gate.json and fails if one is above its limit, which is the recorded
// value plus the margin. A ratio above its limit counts only if a second measurement confirms it. Linux only.
// npm run bench:gate -- --record=<runs>: measures that many times and records the results in bench/gate.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { measureRatios } from '../bench/lib/gate-measurements.mjs';
import { CliError, runMain } from './cli-output.mjs';
import { limitOf, recordedOf } from './gate-limits.mjs';

const FILE = new URL('../bench/gate.json', import.meta.url);
const RECORD = /^--record=(\d+)$/;

const format = (ratio) => ratio.toFixed(2);

/** Measures all ratios once, and those above their limits again, of which the lower result counts. */
async function measureConfirmed(ratios) {
  const measured = await measureRatios(Object.keys(ratios));
  const above = Object.keys(ratios).filter((name) => measured[name] > ratios[name].limit);
  if (above.length === 0) return measured;
  console.log(
    `above the limit, measured again: ${above.map((name) => `${name} ${format(measured[name])}`).join(', ')}`,
  );
  const second = await measureRatios(above);
  for (const name of above) measured[name] = Math.min(measured[name], second[name]);
  return measured;
}

async function check() {
  const { ratios: recorded } = JSON.parse(readFileSync(FILE, 'utf8'));
  const ratios = Object.fromEntries(
    Object.entries(recorded).map(([name, each]) => [name, { ...each, limit: limitOf(each) }]),
  );
  const measured = await measureConfirmed(ratios);
  const rows = Object.entries(ratios).map(([name, { peer, recorded: value, limit, goal = '' }]) => ({
    ...{ ratio: name, peer, measured: format(measured[name]), recorded: format(value), limit: format(limit), goal },
    result: measured[name] > limit ? 'TOO SLOW' : 'ok',
  }));
  console.table(rows);
  const slower = rows.filter(({ result }) => result !== 'ok');
  if (slower.length === 0) return;
  const texts = slower.map(
    (row) => `${row.ratio}: ${row.measured} times ${row.peer}; recorded ${row.recorded}, expected at most ${row.limit}`,
  );
  throw new CliError(
    `slower than recorded in bench/gate.json:\n${texts.join('\n')}\n` +
      'Profile the node (node --cpu-prof) and correct the cause. If the cost is intended, record new values on an otherwise ' +
      'idle machine with npm run bench:gate -- --record=20, and say in docs/performance.md why.',
  );
}

async function record(runs) {
  const file = JSON.parse(readFileSync(FILE, 'utf8'));
  const samples = [];
  while (samples.length < runs) {
    samples.push(await measureRatios(Object.keys(file.ratios)));
    console.log(JSON.stringify(samples.at(-1)));
  }
  for (const [name, each] of Object.entries(file.ratios))
    Object.assign(each, recordedOf(samples.map((sample) => sample[name])));
  const machine = `${cpus().length} × ${cpus()[0].model}, ${arch()}`;
  Object.assign(file, { runs, on: new Date().toISOString().slice(0, 10), machine });
  writeFileSync(FILE, `${JSON.stringify(file, null, 2)}\n`);
}

await runMain(async () => {
  if (process.platform !== 'linux') throw new CliError('the CPU of processes is read from /proc, which only Linux has');
  const [option] = process.argv.slice(2);
  if (option === undefined) return check();
  const [, runs] = RECORD.exec(option) ?? [];
  if (runs === undefined) throw new CliError(`found "${option}"; expected no option, or --record=<runs>`);
  return record(Number(runs));
});
