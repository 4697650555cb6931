import { build, prepare } from '../../scripts/setup.mjs';

/** Builds what the tests start, where sources changed. `BUILD=skip` takes what is there, for quick rounds. */
export async function setup(): Promise<void> {
  if (process.env.BUILD === 'skip') return;
  await prepare({ tests: true });
  await build({ pages: true });
}
