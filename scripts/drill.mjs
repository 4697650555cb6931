// npm run drill [name…]: injects faults into running nodes with each of the drills, by default all, and reports the
// guarantees that do not hold.
import { runPrograms } from './bench-programs.mjs';
import { CliError, runMain } from './cli-output.mjs';

function resultOf({ succeeded, report = {} }) {
  if (report.skipped) return `skipped: ${report.skipped}`;
  if (succeeded) return 'holds';
  return `BROKEN: ${report.broken?.join('; ') || 'it ended early'}`;
}

const widths = [17, 8, 9, 0];
const print = (...columns) => console.log(columns.map((column, at) => String(column).padEnd(widths[at])).join(''));

await runMain(async () => {
  const results = await runPrograms('bench/drills', process.argv.slice(2));
  print('drill', 'rounds', 'seconds', 'result');
  for (const one of results) print(one.name, one.report?.rounds || '', one.seconds, resultOf(one));
  const broken = results.filter(({ succeeded, report }) => !succeeded && !report?.skipped).map(({ name }) => name);
  if (broken.length > 0) throw new CliError(`guarantees broken: ${broken.join(', ')}`);
});
