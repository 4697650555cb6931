import { randomUUID } from 'node:crypto';
import { FlapsAgent } from '../../fakes/network-flaps';
import { listAgent } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { type Parley, startParley } from '../../support/parley';
import { waitFor } from '../../support/wait-for';
import { type Account, listed, mailsTo, newAccount, signInAs } from '../people';

const interval = 3;
const tag = `gauge${randomUUID().slice(0, 6)}`;

let parley: Parley;
let owner: Account;
let rival: FlapsAgent;
let flaps: FlapsAgent;

test.beforeAll(async () => {
  parley = await startParley({
    env: {
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      PROBE_INTERVAL_SECONDS: String(interval),
      PROBE_RUN_INTERVAL_SECONDS: '0',
    },
  });
  owner = await newAccount('Gustav', parley);
  [rival, flaps] = [await FlapsAgent.start('Steady'), await FlapsAgent.start('Flaps')];
  for (const agent of [rival, flaps])
    await listAgent(parley.url, owner, { url: agent.url, tags: [tag] } as { url: string });
});
test.afterAll(async () => {
  await parley?.stop();
  await rival?.stop();
  await flaps?.stop();
});

const title = 'check 4: health turns within two intervals both ways, shows its source, and affects ranking';
test(title, { tag: '@nightly' }, async ({ page }) => {
  test.setTimeout(120_000);
  const header = page.locator('main header').first();
  const reliability = page.locator('#reliability');
  const says = async (health: string): Promise<void> => {
    await waitFor(
      async () => {
        await page.goto(`${parley.url}/agents/flaps`);
        return header.getByText(health, { exact: true }).isVisible();
      },
      { timeout: 20_000, what: `the page to say ${health}` },
    );
  };
  const order = async (): Promise<string[]> => {
    await page.goto(`${parley.url}/agents?tag=${tag}`);
    return listed(page).getByRole('heading').allInnerTexts();
  };

  await says('Operational');
  await expect(reliability).toContainText(/Last checked .* UTC \(availability check\)/);
  await expect(reliability).toContainText(`every ${interval} seconds`);
  await waitFor(async () => (await order())[0] === 'Flaps', { what: 'both to rank equally, newest first' });

  flaps.isWell = false;
  const off = Date.now();
  await says('Down');
  expect(Date.now() - off).toBeLessThan(2 * interval * 1000 + 4_000);
  await waitFor(async () => (await order()).join() === 'Steady,Flaps', { what: 'the ranking to drop' });
  const mail = await waitFor(() => mailsTo(owner.email, parley).find((text) => text.includes('is down')), {
    what: 'a mail to the owner',
  });
  expect(mail).toContain('ranks below all others');

  await signInAs(page, owner, parley);
  await page.goto(`${parley.url}/console/agents/flaps`);
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks.getByText('Failed', { exact: true }).first()).toBeVisible();
  await checks.getByText('Request and response', { exact: true }).first().click();
  await expect(checks.getByText('out of order').first()).toBeVisible();
  await expect(checks).toContainText('tasks/get');
  await expect(checks).not.toContainText('hidden-from-everybody');

  flaps.isWell = true;
  const on = Date.now();
  await says('Operational');
  expect(Date.now() - on).toBeLessThan(2 * interval * 1000 + 4_000);
  await waitFor(async () => (await order()).includes('Flaps'), { what: 'it to remain listed' });

  const times = flaps.timesOf('tasks/get');
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  // A delayed check shortens the gap to the next one, not the schedule.
  expect((times.length - 2) * interval * 1000).toBeLessThan(span);
});
