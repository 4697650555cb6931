import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { listAgent } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const parley = setting('parleyUrl');

// A message that is not paid.
test.use({ expectedErrors: [/402/] });

test('a seller sets a price, a buyer approves it with a maximum, and the units of a task are charged', async ({
  page,
}) => {
  const agent = await ScriptedAgent.start({ name: 'Page Counter', streaming: false });
  agent.answer(({ json, received }) => {
    const task = agent03.task('t-1', 'completed', ['Seven pages']);
    const metadata = { 'urn:parley:price:v1': { unit: 'page', total: 7 } };
    json({ jsonrpc: '2.0', id: received.id, result: { ...task, metadata } });
  });
  const seller = await newAccount('Sally');
  const slug = await listAgent(parley, seller, { url: agent.url });

  await signInAs(page, seller);
  await page.goto(`/console/agents/${slug}/settings`);
  await page.getByRole('combobox', { name: 'Price', exact: true }).selectOption('Per unit that the agent reports');
  await page.getByLabel('Amount', { exact: true }).fill('a lot');
  await page.getByRole('button', { name: 'Save the price' }).click();
  await expect(page.getByText('Enter an amount, such as 0.50.')).toBeVisible();
  await page.getByLabel('Amount', { exact: true }).fill('0.30');
  await page.getByLabel('Name of the unit').fill('page');
  await page.getByRole('button', { name: 'Save the price' }).click();
  await expect(page.getByText('Price saved').first()).toBeVisible();
  await page.goto(`/agents/${slug}/pay`);
  await expect(page.getByText('You are of this agent’s team')).toBeVisible();
  await page.goto('about:blank');

  await signInAs(page, await newAccount('Bo'));
  await page.goto(`/chat/new?agent=${slug}`);
  await page.getByRole('textbox', { name: /^Message/ }).fill('Count this');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Not sent. You have not approved this agent’s price yet.')).toBeVisible();
  expect(agent.messages).toEqual([]);

  await page.getByRole('main').getByRole('link', { name: 'Approve the price' }).click();
  await expect(page.getByRole('heading', { name: 'What Page Counter may charge' })).toBeVisible();
  await expectNoViolations(page, 'a price to approve', { colors: 'both' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByLabel('Maximum per task (EUR)').fill('3.00');
  await page.getByLabel('Total (EUR)').fill('nothing');
  await page.getByRole('button', { name: 'Approve the price' }).click();
  await expect(page.getByText('Enter an amount, such as 5.00.')).toBeVisible();
  await page.getByLabel('Total (EUR)').fill('10.00');
  await page.getByRole('button', { name: 'Approve the price' }).click();
  await expect(page.getByText('€0.00 of €10.00 spent')).toBeVisible();
  await expectNoViolations(page, 'an approved price', { colors: 'both' });

  await page.getByRole('link', { name: 'Continue in chat' }).click();
  await page.getByRole('textbox', { name: /^Message/ }).fill('Count this');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Seven pages')).toBeVisible();
  await page.goto('/settings/payments#prices');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('€2.10 of €10.00 spent')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await expectNoViolations(page, 'approved prices', { colors: 'both' });
  await page.getByRole('button', { name: 'End the approval of Page Counter' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'End', exact: true })
    .click();
  await expect(page.getByText('Ended', { exact: true })).toBeVisible();
  await page.goto('about:blank');
  await agent.stop();
});
