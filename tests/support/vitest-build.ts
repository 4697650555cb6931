import { build, prepare } from '../../scripts/setup.mjs';

/** Builds what the tests start if sources changed. `BUILD=skip` uses the existing build. */
export async function setup(): Promise<void> {
  if (process.env.BUILD === 'skip') return;
  await prepare({ tests: true });
  await build({ pages: true });
}
