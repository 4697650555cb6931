import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindOf, verdictsOf } from './answer-vectors';

/**
 * Another folder supplies other vectors of the same kinds: `AP2_VECTORS=… npx vitest run
 * tests/unit/ap2/vectors.test.ts`.
 */
const folder = process.env.AP2_VECTORS ?? 'tests/fixtures/ap2/vectors';
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));

// The code under test reads them from its environment, once.
const webhooks = files.map(({ text }) => JSON.parse(text)).find((file) => kindOf(file) === 'notices');
process.env.STRIPE_SECRET_KEY = 'sk_test_vectors';
process.env.STRIPE_WEBHOOK_SECRET = webhooks?.secret ?? 'whsec_none';

test('the folder with AP2 vectors contains only known kinds of vectors', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ text }) => kindOf(JSON.parse(text)) === null).map(({ name }) => name)).toEqual([]);
});

describe.each(files)('PAY-2: $name', ({ text }) => {
  test.each(verdictsOf(text))('produces the expected verdict: $name', async ({ expected, answer }) => {
    expect(expected).toContain(await answer());
  });
});
