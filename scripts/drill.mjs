// npm run drill [name…]: injects faults into running nodes in turn and reports which guarantees do not hold.
import { runPrograms } from './bench-programs.mjs';
import { CliError, runMain } from './cli-output.mjs';

await runMain(async () => {
  const broken = await runPrograms('bench/drills', process.argv.slice(2));
  if (broken.length > 0) throw new CliError(`guarantees broken: ${broken.join(', ')}`);
});
