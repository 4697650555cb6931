// Builds packages/ for publishing: the bundles, and the SDK's types. npm runs it before it packs one of them.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { CliError, runMain } from './cli-output.mjs';
import { ROOT } from './program.mjs';

await runMain(async () => {
  process.chdir(ROOT);
  for (const name of ['sdk', 'cli']) rmSync(`packages/${name}/dist`, { recursive: true, force: true });
  const { bundlePackages } = await import('./bundle.mjs');
  await bundlePackages();
  const types = ['node_modules/typescript/bin/tsc', '--project', 'packages/sdk'];
  const { status, stdout } = spawnSync(process.execPath, types, { encoding: 'utf8' });
  if (status !== 0) throw new CliError(`the types of the SDK could not be built:\n${stdout}`);
});
