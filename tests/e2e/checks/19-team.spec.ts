import { randomUUID } from 'node:crypto';
import { CardServer } from '../../fakes/card-server';
import { cardV10 } from '../../fakes/cards';
import { listAgent } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { linkMailedTo, newAccount, signInAs } from '../people';

test('a user can be invited by email, join, see the agent in their console, and leave', async ({ page }) => {
  const cards = await CardServer.start();
  const [owner, helper] = [await newAccount('Tess'), await newAccount('Hank')];
  const path = randomUUID();
  const name = `Shared ${path.slice(0, 8)}`;
  cards.serve(path, cardV10(cards.base(path), { name }));
  const slug = await listAgent(setting('parleyUrl'), owner, { url: cards.base(path) });
  await signInAs(page, owner);
  await page.goto(`/console/agents/${slug}/team`);
  await page.getByLabel('Email').fill(helper.email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(`${helper.email} is invited as a developer.`)).toBeVisible();

  await signInAs(page, helper);
  await page.goto(linkMailedTo(helper.email));
  await expect(page.getByText(`invites you to join the team for ${name} as a developer`)).toBeVisible();
  await page.getByRole('button', { name: 'Join team' }).click();
  await expect(page).toHaveURL(`/console/agents/${slug}`);
  await page
    .getByRole('navigation', { name: 'Sections of this agent' })
    .getByRole('link', { name: 'Settings' })
    .click();
  await expect(page.getByRole('region', { name: 'Listing', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Selling' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Withdraw agent' })).toHaveCount(0);
  await page.goto(`/console/agents/${slug}/team`);
  await page.getByRole('button', { name: 'Leave team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave team' }).click();
  await expect(page).toHaveURL('/console');
  await expect(page.getByText(name)).toHaveCount(0);
  await cards.stop();
});
