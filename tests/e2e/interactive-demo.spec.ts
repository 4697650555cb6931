import { expect, test } from '../support/page';
import { history, openWithMessage } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';

test('Meeting Rooms asks with a surface, whose button continues the booking', async ({ page }) => {
  await openWithMessage(page, { agentSlug: 'calendar', text: 'Book a meeting' });
  const surface = history(page).getByRole('figure', { name: 'View from Meeting Rooms' });
  await expect(surface.getByRole('tab').first()).toBeVisible();
  await surface.getByRole('button', { name: 'Check the room' }).click();
  await expect(surface.getByText('Choose a time.').first()).toBeVisible();
  await surface.getByRole('tab').nth(1).click();
  await surface.getByRole('tabpanel').getByRole('radio').first().check();
  await surface.getByRole('radio', { name: '30 minutes' }).check();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/calendar.png` });
  await expectNoViolations(page, 'a surface of the demo');
  await surface.getByRole('button', { name: 'Check the room' }).click();
  await expect(history(page).getByText(/is free\. Approve the cart/)).toBeVisible();
});
