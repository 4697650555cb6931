// npm run bench [name…]: runs the comparisons of Parley with its peers in turn and reports which goals are met.
import { runPrograms } from './bench-programs.mjs';
import { CliError, runMain } from './cli-output.mjs';

await runMain(async () => {
  const results = await runPrograms('bench', process.argv.slice(2));
  const missed = results.filter(({ succeeded }) => !succeeded).map(({ name }) => name);
  if (missed.length > 0) throw new CliError(`goals missed: ${missed.join(', ')}`);
});
