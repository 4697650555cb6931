import type { CartFault } from '../../fakes/merchant-carts';
import { send } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { askForCart, cartEndingIn, latestOrder, openShop, review, type Shop } from '../buying-fixture';
import { openWithMessage } from '../chat-fixture';
import { type Account, newAccount, signInAs } from '../people';

const faults: CartFault[] = [
  'no signature',
  'total altered after signing',
  'currency altered after signing',
  'merchant altered after signing',
  'null member added after signing',
  'lines that do not add up',
  'expired cart',
  'expired signature',
  'signature valid for a year',
  'unknown key',
  'another key under the kid',
  'alg none',
  'alg HS256',
  'encoded twice',
  'another issuer',
  'another audience',
  'no exp',
  'no jti',
  'no cart_hash',
  'fraction of a yen',
  'floating-point residue',
  'negative price',
  'two currencies',
  'duplicate member',
  'no contents',
];

test('a cart shows its lines and total, fits a phone, and can be declined', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openWithMessage(page, {
    agentSlug: 'pizzeria',
    text: 'One large Margherita and a small Diavola to 12 Via Appia, Rome',
  });
  const cart = page.getByRole('figure', { name: 'Cart' });
  await expect(cart).toBeVisible();
  await expect(cart).toContainText('Trattoria Parley');
  await expect(cart).toContainText('Offered by');
  await expect(cart.getByRole('row', { name: /Margherita/ })).toBeVisible();
  await expect(cart).toContainText('Ready to pay');
  await expect(cart).toContainText(/\d+ of \d+ checks passed/);
  await expect(cart).toContainText(/\d+ (minutes?|seconds) left, until /);
  const total = await cart
    .getByRole('row', { name: /^Total/ })
    .locator('td span')
    .first()
    .textContent();
  await expect(cart.getByRole('button', { name: `Review and pay ${total}` })).toBeEnabled();
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBeLessThanOrEqual(0);

  // One primary action; the others are in its menu.
  await expect(cart.getByRole('button')).toHaveText([`Review and pay ${total}`, '']);
  await expect(page.getByRole('button', { name: 'Artifacts' })).toHaveCount(0);
  await cart.getByRole('button', { name: 'More actions for this offer' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Request another offer', 'Decline offer']);
  await page.getByRole('menuitem', { name: 'Decline offer' }).click();
  await expect(cart.getByRole('button', { name: `Pay ${total}` })).toBeDisabled();
  // The button is removed. The keyboard focus must not return to the top of the page.
  await expect(page.locator('body')).not.toBeFocused();
  await expect(page.getByText(/^You declined the offer from /)).toBeVisible();
});

test.describe('a shop’s cart', () => {
  let shop: Shop;
  /** A buyer with 100 test credits and no orders. */
  let buyer: Account;

  test.beforeAll(async () => {
    shop = await openShop(setting('parleyUrl'), await newAccount('Sally'), 'Pizza Sally');
  });
  test.afterAll(() => shop?.merchant.stop());
  test.beforeEach(async ({ page }) => {
    shop.merchant.fault = 'none';
    buyer = await newAccount('Bob');
    await signInAs(page, buyer);
  });

  test('shows that an open offer expired, and disables its button', async ({ page }) => {
    shop.merchant.nextCarts.push(cartEndingIn(shop.merchant, 9_000));
    const card = await askForCart(page, shop);
    const dialog = await review(page, card);
    await expect(dialog.getByRole('alert')).toContainText('Offer expired', { timeout: 15_000 });
    const pay = dialog.getByRole('button', { name: 'Pay €18.98' });
    await expect(pay).toBeDisabled();
    await expect(pay).toHaveAccessibleDescription(/You were not charged/);
    await page.keyboard.press('Escape');
    await expect(card.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
    await expect(card.getByRole('button', { name: 'Pay €18.98' })).toHaveAccessibleDescription(/expired/);
  });

  for (const fault of faults) {
    const tag = fault === faults[0] ? [] : '@nightly';
    test(`PAY-1 ${fault}: has a disabled button with the reason, and the server rejects the payment`, { tag }, async ({
      page,
    }) => {
      shop.merchant.fault = fault;
      const card = await askForCart(page, shop);
      const pay = card.getByRole('button', { name: /^Pay/ });
      await expect(pay).toBeDisabled();
      await expect(pay).toHaveAccessibleDescription(/\w+ \w+/);
      await expect(card).toContainText(fault === 'no signature' ? 'Unsigned' : /Not valid|Expired/);
      const { id } = await latestOrder(setting('parleyUrl'), buyer);
      const url = `${setting('parleyUrl')}/api/orders/${id}/review`;
      const refused = await send(url, { body: {}, cookie: buyer.cookie, origin: setting('parleyUrl') });
      expect(refused.status).toBeGreaterThanOrEqual(400);
    });
  }
});
