import { setUpDatabases } from './database-setup';

let tearDown: (() => Promise<void>) | undefined;

/** Vitest calls this once before the first test file. */
export async function setup(): Promise<void> {
  tearDown = await setUpDatabases();
}

/** Vitest calls this once after the last one. */
export async function teardown(): Promise<void> {
  await tearDown?.();
}
