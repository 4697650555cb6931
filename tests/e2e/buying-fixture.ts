import { createHash, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { OrderPage, OrderView, WalletView } from '@/lib/payments/schema';
import { canonicalJson } from '@/lib/protocol/jcs';
import type { JsonObject } from '@/lib/protocol/json';
import { MerchantAgent } from '../fakes/merchant-agent';
import { newContents, signJwt } from '../fakes/merchant-carts';
import { listAgent, send } from '../support/fixtures';
import { expect } from '../support/page';
import { startConversation } from './chat-fixture';

/** A listed merchant whose key is pinned. */
export interface Shop {
  merchant: MerchantAgent;
  slug: string;
}

export interface Credentials {
  cookie: string;
  accessToken: string;
}

export async function openShop(parley: string, owner: Credentials, name: string): Promise<Shop> {
  const merchant = await MerchantAgent.start({ name });
  merchant.sellAt(parley);
  const slug = await listAgent(parley, owner, { url: merchant.url });
  const body = { signing: 'own', issuer: merchant.url, keys: [merchant.key.jwk] };
  const set = await send(`${parley}/api/agents/${slug}/merchant`, {
    method: 'PUT',
    body,
    cookie: owner.cookie,
    origin: parley,
  });
  expect(set.status, await set.text()).toBe(200);
  return { merchant, slug };
}

/** A signed cart of 18.98 euros that expires after this time. */
export function cartEndingIn({ seller }: MerchantAgent, ms: number): JsonObject {
  const contents = newContents(seller);
  contents.cart_expiry = new Date(Date.now() + ms).toISOString();
  const iat = Math.floor(Date.now() / 1_000);
  const cart_hash = createHash('sha256').update(canonicalJson(contents)).digest('base64url');
  const { name: sub, issuer: iss, audience: aud, key } = seller;
  const claims = { iss, sub, aud, iat, exp: iat + 900, jti: randomUUID(), cart_hash };
  return { 'ap2.mandates.CartMandate': { contents, merchant_authorization: signJwt(key, claims) } };
}

/** Starts a conversation with the shop, and waits for its cart card. */
export async function askForCart(page: Page, { slug }: Shop): Promise<Locator> {
  await startConversation(page, slug, 'A pizza, please');
  const card = page.getByRole('figure', { name: 'Cart' });
  await expect(card.getByRole('button', { name: /^(Review and pay|Pay)/ })).toBeVisible();
  return card;
}

/** Opens the review of a cart. */
export async function review(page: Page, card: Locator): Promise<Locator> {
  await card.getByRole('button', { name: 'Review and pay €18.98' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review and pay' });
  await expect(dialog.getByRole('button', { name: 'Pay €18.98' })).toBeVisible();
  return dialog;
}

/** The user's newest order, from the API. */
export async function latestOrder(parley: string, { cookie }: Credentials): Promise<OrderView> {
  const response = await send(`${parley}/api/orders?limit=1`, { cookie });
  const { items } = (await response.json()) as OrderPage;
  const [order] = items;
  if (!order) throw new Error('there is no order');
  return order;
}

/** The user's balance in euros, minor units. */
export async function eurosOf(parley: string, { cookie }: Credentials): Promise<{ available: number; held: number }> {
  const wallet = (await (await send(`${parley}/api/wallet`, { cookie })).json()) as WalletView;
  const { available = 0, held = 0 } = wallet.balances.find(({ currency }) => currency === 'EUR') ?? {};
  return { available, held };
}

/** All live region texts of the page from here on. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announcements: string[] = [];
    Object.assign(window, { said: announcements });
    const record = (records: MutationRecord[]): void => {
      for (const { target } of records) announcements.push((target.textContent ?? '').trim());
    };
    for (const region of document.querySelectorAll('[aria-live]')) {
      new MutationObserver(record).observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  return () => page.evaluate(() => Reflect.get(window, 'said') as string[]);
}

/** A virtual authenticator with user verification and automatic presence. */
export async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
