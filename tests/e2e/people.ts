import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { send } from '../support/fixtures';
import { expect } from '../support/page';
import { setting } from '../support/settings';

/** A user with an account at the shared Parley, signed in once and with an access token. */
export interface Account {
  name: string;
  email: string;
  cookie: string;
  accessToken: string;
}

export const password = 'correct horse battery';

/** A running Parley: the shared one, or a test's own. */
export interface Site {
  url: string;
  dataDir: string;
}

const sharedSite = (): Site => ({ url: setting('parleyUrl'), dataDir: setting('dataDir') });

/** Signs a user up through the UI, by the link in the email. */
export async function newAccount(name: string, site: Site = sharedSite()): Promise<Account> {
  const { url } = site;
  const email = newAddress(name);
  const headers = { 'x-forwarded-for': newClientAddress() };
  const asked = await send(`${url}/api/auth/sign-up`, { body: { email, name, password }, origin: url, headers });
  expect(asked.status, await asked.text()).toBe(202);
  const token = new URL(linkMailedTo(email, site)).searchParams.get('token');
  const confirmed = await send(`${url}/api/auth/confirm`, { body: { token, password }, origin: url });
  expect(confirmed.status, await confirmed.text()).toBe(204);
  const cookie = cookieOf(confirmed);
  return { name, email, cookie, accessToken: await newAccessToken(url, cookie) };
}

/** An unused address (RFC 2544); a new one each time, because sign-ups per address are limited. */
function newClientAddress(): string {
  const [high = 0, low = 0] = randomBytes(2);
  return `198.18.${high}.${low}`;
}

export function newAddress(name: string): string {
  return `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.test`;
}

/** The link in the latest email to this address. */
export function linkMailedTo(email: string, site: Site = sharedSite()): string {
  return /^http:\S+$/m.exec(mailsTo(email, site).at(-1) ?? '')?.[0] ?? '';
}

/** The emails to this address, oldest first. */
export function mailsTo(email: string, { dataDir }: Site = sharedSite()): string[] {
  const outbox = join(dataDir, 'outbox');
  const mails = readdirSync(outbox)
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'));
  return mails.filter((text) => text.includes(`To: ${email}\r\n`));
}

async function newAccessToken(url: string, cookie: string): Promise<string> {
  const created = await send(`${url}/api/auth/access-tokens`, { body: { name: 'tests' }, cookie, origin: url });
  return ((await created.json()) as { token: string }).token;
}

/** Another session of this user, as if in another browser. */
export async function signInAgain({ email }: Account): Promise<string> {
  const url = setting('parleyUrl');
  const answer = await send(`${url}/api/auth/local`, { body: { email, password }, origin: url });
  expect(answer.status, await answer.text()).toBe(204);
  return cookieOf(answer);
}

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

/** Signs the page in as this user. */
export async function signInAs(
  page: Page,
  { cookie }: Pick<Account, 'cookie'>,
  { url }: Pick<Site, 'url'> = sharedSite(),
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
}

/** Fills in the sign-in page and submits it. */
export async function fillSignIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The text of a code block, as its copy button copies it. */
export async function copied(page: Page, label: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: `Copy ${label}`, exact: true }).click();
  await expect(page.getByRole('button', { name: `Copied ${label}`, exact: true })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The card of an agent in a list of them. */
export function listed(page: Page): Locator {
  return page.locator('main article');
}
