import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Pool } from 'pg';
import { createPerson, send, testPassword } from '../support/fixtures';
import { expect } from '../support/page';
import { setting } from '../support/settings';

/** A user with an account at the shared Parley, signed in once and with an access token. */
export interface Account {
  name: string;
  email: string;
  cookie: string;
  accessToken: string;
}

export const password = testPassword;

/** A running Parley: the shared one, or a test's own. */
export interface Site {
  url: string;
  databaseUrl: string;
  dataDir: string;
}

const sharedSite = (): Site => ({
  url: setting('parleyUrl'),
  databaseUrl: setting('databaseUrl'),
  dataDir: setting('dataDir'),
});

/** Creates an account with {@link password} and signs in once. */
export async function newAccount(name: string, site: Site = sharedSite()): Promise<Account> {
  const { email, cookie, accessToken } = await createPerson(site.url, name, (statement, text, values) =>
    queryAt(site, { name: statement, text, values }),
  );
  return { name, email, cookie, accessToken };
}

/** Signs a user up through the API, by the link in the email, and creates an access token. */
export async function signUp(name: string): Promise<Account> {
  const { url } = sharedSite();
  const email = newAddress(name);
  // An address of RFC 2544, because sign-ups per address are limited.
  const headers = { 'x-forwarded-for': `198.18.0.${randomInt(256)}` };
  const asked = await send(`${url}/api/auth/sign-up`, { body: { email, name, password }, origin: url, headers });
  expect(asked.status, await asked.text()).toBe(202);
  const token = new URL(linkMailedTo(email)).searchParams.get('token');
  const confirmed = await send(`${url}/api/auth/confirm`, { body: { token, password }, origin: url });
  expect(confirmed.status, await confirmed.text()).toBe(204);
  const cookie = cookieOf(confirmed);
  const created = await send(`${url}/api/auth/access-tokens`, { body: { name: 'test' }, cookie, origin: url });
  return { name, email, cookie, accessToken: ((await created.json()) as { token: string }).token };
}

/** The connections of this worker, by the URL of the database. */
const pools = new Map<string, Pool>();

/** Runs a statement in the database of a Parley. The test states the type of the rows, which is not checked. */
async function queryAt<Row extends object>(
  { databaseUrl }: Pick<Site, 'databaseUrl'>,
  statement: { name: string; text: string; values?: unknown[] },
): Promise<Row[]> {
  const pool = pools.get(databaseUrl) ?? new Pool({ connectionString: databaseUrl, max: 1 });
  pools.set(databaseUrl, pool);
  return (await pool.query<Row>(statement)).rows;
}

/** Changes an account's email, such as to one that makes it a moderator, and notifies the nodes. */
export async function setEmail({ email }: Pick<Account, 'email'>, to: string, site: Site): Promise<void> {
  const text = `WITH changed AS (UPDATE "user" SET email = $2 WHERE email = $1 RETURNING id)
    SELECT pg_notify('parley', '* user ' || id) FROM changed`;
  await queryAt(site, { name: 'set-email', text, values: [email, to] });
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

/** Another session of this user, as if in another browser. */
export async function signInAgain(person: { email: string; password?: string }): Promise<string> {
  const url = setting('parleyUrl');
  const body = { email: person.email, password: person.password ?? password };
  const answer = await send(`${url}/api/auth/local`, { body, origin: url });
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

/**
 * Gives the page the address of a network that no other page has, and returns it: visitors without an account are
 * limited by network.
 */
export async function useOwnNetwork(page: Page): Promise<string> {
  const address = `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`;
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': address });
  return address;
}
