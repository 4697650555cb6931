import { type SwitchableAgent, startSwitchable } from '../fakes/faulty-agents';
import { plantedFaults } from '../fakes/planted-faults';
import { listAgent } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;
let agent: SwitchableAgent;
let slug: string;

test.beforeAll(async () => {
  owner = await newAccount('Tess');
  agent = await startSwitchable();
  slug = await listAgent(setting('parleyUrl'), owner, { url: agent.url });
});
test.afterAll(() => agent?.close());
test.beforeEach(({ page }) => signInAs(page, owner));

function plant(check: string): Promise<void> {
  return agent.plant(plantedFaults.find((planted) => planted.check === check) ?? null);
}

test('the Test tab shows what is wrong with an agent, and that nothing is once it was corrected', async ({ page }) => {
  await plant('messages.states');
  await page.goto(`/console/agents/${slug}/test`);
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByRole('button', { name: 'Run checks' }).click();
  const failed = checks.getByRole('list', { name: 'Failed checks' }).getByRole('listitem');
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText('messages.states');
  await expect(failed).toContainText(/Found\s*state "completed"\s*Expected\s*a state of A2A 1.0/s);
  await expect(failed.getByRole('link', { name: 'Documentation of messages.states' })).toHaveAttribute(
    'href',
    '/docs/test-your-agent#messages',
  );
  await expectNoViolations(page, 'results of checks', { colors: 'both' });

  await agent.plant(null);
  await checks.getByText('Messages to send').click();
  await checks.getByLabel('Slow message').fill('slow');
  await checks.getByLabel('Message that leads to a question').fill('ask');
  await checks.getByLabel('Message that leads to a cart').fill('buy');
  await checks.getByRole('button', { name: 'Run checks' }).click();
  await expect(checks.getByText('No check failed')).toBeVisible();
  await expect(failed).toHaveCount(0);
  await expect(checks.getByText(/passed, 0 failed, 0 skipped/)).toBeVisible();
});

test('the results fit a phone', async ({ page }) => {
  await plant('cart.signature');
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/console/agents/${slug}/test`);
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByText('Messages to send').click();
  await checks.getByLabel('Message that leads to a cart').fill('buy');
  await checks.getByRole('button', { name: 'Run checks' }).click();
  await expect(checks.getByRole('list', { name: 'Failed checks' }).getByRole('listitem')).toHaveCount(1);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
});
