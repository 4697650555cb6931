// Runs what is built, with the database and the secrets of the environment: for tests and for hosts that install,
// build and migrate by themselves. Everybody else uses `npm start`.
import { endOnSignals } from './ending.mjs';
import { completeEnvironment, requireFreePort } from './environment.mjs';
import { runPrograms } from './programs.mjs';
import { runMain } from './report.mjs';

await runMain(async () => {
  endOnSignals();
  await requireFreePort(completeEnvironment({ dev: false }));
  const { url } = await runPrograms();
  console.log(`listening on ${url}`);
});
