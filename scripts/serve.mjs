// Runs the existing build with the database and secrets of the environment. For tests and for hosts that install, build
// and migrate themselves. Otherwise use `npm start`.

import { runMain } from './cli-output.mjs';
import { completeEnvironment, requireFreePort } from './environment.mjs';
import { shutDownOnSignals } from './shutdown.mjs';
import { startServices } from './supervisor.mjs';

await runMain(async () => {
  shutDownOnSignals();
  await requireFreePort(completeEnvironment({ dev: false }));
  const { url } = await startServices();
  console.log(`listening on ${url}`);
});
