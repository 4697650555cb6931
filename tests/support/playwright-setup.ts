import { randomBytes } from 'node:crypto';
import { setUpDatabases } from './database-setup';
import { startParley } from './parley';
import { setup as describeResponses } from './response-schemas';
import { publishSettings } from './settings';
import { setup as buildOnce } from './vitest-build';

/** Runs before the first test and starts one Parley with its demo for all tests. Returns the tear-down. */
export default async function setUp(): Promise<() => Promise<void>> {
  await buildOnce();
  await describeResponses();
  const tearDownDatabases = await setUpDatabases();
  const demoPassword = randomBytes(12).toString('base64url');
  const parley = await startParley({
    env: {
      DEMO: '1',
      DEMO_PASSWORD: demoPassword,
      DEMO_TRICKS: '1',
      EMBEDDINGS: 'on',
      AGENT_URL_ALLOW: 'http://localhost:*,http://127.0.0.1:*',
      // Lets each sign-up use its own client address: sign-ups per address are limited.
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
  });
  publishSettings({ parleyUrl: parley.url, databaseUrl: parley.databaseUrl, dataDir: parley.dataDir, demoPassword });
  return async () => {
    await parley.stop();
    await tearDownDatabases();
  };
}
