import type { Page } from '@playwright/test';
import { ClientHost } from '../fakes/client-host';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { authorizePath, Callback, redeem, registerClient, requestTokens } from './authorize-fixture';
import { expectNoViolations } from './expect-no-violations';
import { fillSignIn, linkMailedTo, newAccount, newAddress, password, signInAs } from './people';

let callback: Callback;
let host: ClientHost;

test.beforeAll(async () => {
  callback = await Callback.start();
  host = await ClientHost.start();
});

test.afterAll(async () => {
  await callback.stop();
  await host.stop();
});

/** A client that registered itself, on this computer. */
async function localClient(name = 'Example client'): Promise<{ clientId: string; redirectUri: string }> {
  return { clientId: await registerClient(callback.url, { name }), redirectUri: callback.url };
}

const website = 'https://client.example/callback';

/** Serves client.example to the browser; its path `/further` redirects to another host. */
async function serveWebsite(page: Page): Promise<void> {
  // Playwright's routes do not receive requests after a redirect.
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isFurther = new URL(request.url).pathname === '/further';
    const headers = isFurther ? { location: 'https://another.example/' } : { 'content-type': 'text/html' };
    void session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: isFurther ? 302 : 200,
      responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: Buffer.from('<!doctype html><link rel="icon" href="data:,"><title>Client</title>').toString('base64'),
    });
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*.example/*' }] });
}

/** A client with a metadata document, and its website, which answers `page`. */
async function websiteClient(page: Page, path: string): Promise<{ clientId: string; redirectUri: string }> {
  await serveWebsite(page);
  return { clientId: host.serve(path, { client_name: 'Website client' }), redirectUri: website };
}

const allow = (page: Page): Promise<void> => page.getByRole('button', { name: 'Allow', exact: true }).click();
const question = (page: Page, name = 'Example client') =>
  page.getByRole('heading', { level: 1, name: `Let ${name} use Parley for you?` });

async function expectReturned(page: Page, redirectUri: string): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(`${redirectUri}?`));
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('state')).toBe('state of the client');
  expect(searchParams.get('iss')).toBe(setting('parleyUrl'));
  return searchParams;
}

test('a user can sign in, read the requested scopes and allow the client, which receives tokens', async ({ page }) => {
  const ada = await newAccount('Ada');
  const client = await localClient();
  await page.goto(authorizePath(client));
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await fillSignIn(page, { email: ada.email, password });
  await expect(question(page)).toBeVisible();
  const main = page.locator('main');
  await expect(main).toContainText('A program on this computer');
  await expect(main).toContainText('Unverified: it registered itself');
  await expect(main).toContainText('Call agents as you');
  await expect(main).toContainText('Access lasts until you disconnect it, for up to 90 days.');
  await expect(main).toContainText('Any program on this computer can use this name.');
  await expect(main).toContainText(ada.email);
  await expectNoViolations(page, 'a program that asks');
  await allow(page);
  const answer = await expectReturned(page, client.redirectUri);
  expect(answer.get('code')).toBeTruthy();
  expect(await redeem(page.url(), client)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });

  await page.goto(authorizePath(client));
  await expect(question(page), 'any program could claim its name').toBeVisible();
});

test('a user can deny access by keyboard alone, and the client receives an error', async ({ page }) => {
  await signInAs(page, await newAccount('Bert'));
  const client = await localClient();
  await page.goto(authorizePath(client));
  await page.getByRole('button', { name: 'Allow', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused();
  await page.keyboard.press('Enter');
  const answer = await expectReturned(page, client.redirectUri);
  expect(answer.get('error')).toBe('access_denied');
  expect(answer.has('code')).toBe(false);
});

test('a client with a verified website is remembered, even for the next sign-in', async ({ page }) => {
  const ada = await newAccount('Ada');
  await signInAs(page, ada);
  const client = await websiteClient(page, '/remembered.json');
  await page.goto(authorizePath(client));
  await expect(question(page, 'Website client')).toBeVisible();
  await expect(page.locator('main')).toContainText('client.example');
  await expect(page.locator('main')).toContainText(`Published by ${new URL(host.origin).host}`);
  await expect(page.locator('main')).not.toContainText('Any program on this computer');
  await expectNoViolations(page, 'a website that asks');
  await allow(page);
  await expectReturned(page, website);

  await page.goto(authorizePath(client), { waitUntil: 'load' });
  expect((await expectReturned(page, website)).get('code'), 'no question').toBeTruthy();

  await page.context().clearCookies();
  await page.goto(authorizePath(client));
  await fillSignIn(page, { email: ada.email, password });
  expect((await expectReturned(page, website)).get('code'), 'no question').toBeTruthy();

  await page.goto(authorizePath(client, { prompt: 'consent' }));
  await expect(question(page, 'Website client')).toBeVisible();
});

test('a client can redirect to another host after the redirect URI', async ({ page }) => {
  await signInAs(page, await newAccount('Pia'));
  await serveWebsite(page);
  const redirectUri = 'https://client.example/further';
  await page.goto(authorizePath({ clientId: await registerClient(redirectUri), redirectUri }));
  await allow(page);
  await page.waitForURL('https://another.example/');
});

test('a look-alike host is shown in Punycode', async ({ page }) => {
  await signInAs(page, await newAccount('Carla'));
  const redirectUri = 'https://xn--clude-6qa.ai/callback';
  await page.goto(authorizePath({ clientId: await registerClient(redirectUri, { name: 'Claude' }), redirectUri }));
  await expect(page.locator('main')).toContainText('xn--clude-6qa.ai');
  await expect(page.getByText('Unverified app', { exact: true })).toBeVisible();
  await expectNoViolations(page, 'an unverified website');
});

test.describe('an invalid authorization request', () => {
  test.use({ expectedErrors: [/400 \(Bad Request\)/] });

  test('shows the reason, and redirects nowhere', async ({ page }) => {
    await signInAs(page, await newAccount('Dora'));
    const client = await localClient();
    const unknown = authorizePath({ ...client, clientId: 'reg.unknown.client' });
    const unregistered = authorizePath({ ...client, redirectUri: 'https://evil.example/callback' });
    for (const path of [
      unknown,
      unregistered,
      `${unregistered}&redirect_uri=${encodeURIComponent(client.redirectUri)}`,
    ]) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(400);
      expect(response?.headers()['content-security-policy']).toMatch(/form-action 'self'(?:;|$)/);
      await expect(page.getByRole('heading', { level: 1, name: 'This app can’t connect' })).toBeVisible();
      expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
    }
    await expectNoViolations(page, 'a request that is not valid');
  });
});

test('CLK-1 the consent page cannot be framed', async ({ page }) => {
  await signInAs(page, await newAccount('Ella'));
  const client = await localClient();
  const response = await page.goto(authorizePath(client));
  expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
});

test.describe('CLK-1 a page that frames the consent page', () => {
  test.use({ expectedErrors: [/frame-ancestors|Refused to (?:frame|display)|Framing/] });

  test('shows an empty frame', async ({ page }) => {
    await signInAs(page, await newAccount('Ella'));
    const framed = setting('parleyUrl') + authorizePath(await localClient());
    await page.goto(callback.url, { waitUntil: 'load' });
    await page.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
    }, framed);
    for (const frame of page.frames().slice(1))
      await expect(frame.getByRole('button', { name: 'Allow' })).toHaveCount(0);
  });
});

test('CLK-1 a click without a mouse movement over the button is ignored', async ({ page }) => {
  await signInAs(page, await newAccount('Fay'));
  const path = authorizePath(await localClient());
  await page.goto(path);
  const box = await page.getByRole('button', { name: 'Allow', exact: true }).boundingBox();
  if (!box) throw new Error('Expected a visible button');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.goto(path);
  await page.mouse.down();
  await page.mouse.up();
  await expect(question(page)).toBeVisible();
  await allow(page);
  await expectReturned(page, callback.url);
});

test('the form can redirect to the client’s origin, but only on the consent page', async ({ page }) => {
  const policyOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await page.request.get(path, { headers, maxRedirects: 0 });
    return /form-action ([^;]*)/.exec(response.headers()['content-security-policy'] ?? '')?.[1] ?? '';
  };
  const forged = { 'x-parley-redirect': 'https://evil.example' };
  const path = authorizePath(await localClient());
  expect(await policyOf(path, forged), 'signed out').toBe("'self'");
  await signInAs(page, await newAccount('Gita'));
  expect(await policyOf(path, forged)).toBe(`'self' ${new URL(callback.url).origin}`);
  for (const other of [
    '/',
    '/sign-in',
    '/device',
    '/settings/connections#apps',
    `/agents${path.slice(path.indexOf('?'))}`,
  ]) {
    expect(await policyOf(other, forged), other).toBe("'self'");
  }
});

test('an app is opened by its own scheme, and the page shows the next step', async ({ page }) => {
  await signInAs(page, await newAccount('Hana'));
  const redirectUri = 'com.example.app://oauth/callback';
  await page.goto(authorizePath({ clientId: await registerClient(redirectUri, { name: 'Desktop app' }), redirectUri }));
  await expect(page.locator('main')).toContainText('The app that opens com.example.app: links');
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await allow(page);
  const { redirectTo } = (await (await answered).json()) as { redirectTo: string };
  expect(redirectTo).toMatch(/^com\.example\.app:\/\/oauth\/callback\?code=/);
  await expect(page.getByRole('status').filter({ hasText: 'you can close this page' })).toBeVisible();
});

test.describe('a user whose session ends while they decide', () => {
  test.use({ expectedErrors: [/401 \(Unauthorized\)/] });

  test('can sign in and still decide', async ({ page }) => {
    const olga = await newAccount('Olga');
    await signInAs(page, olga);
    await page.goto(authorizePath(await localClient()));
    await page.context().clearCookies();
    await allow(page);
    await fillSignIn(page, { email: olga.email, password });
    await expect(question(page)).toBeVisible();
  });
});

test('a user can switch accounts with one click, and the request is kept', async ({ page }) => {
  const [ivo, jana] = [await newAccount('Ivo'), await newAccount('Jana')];
  await signInAs(page, ivo);
  await page.goto(authorizePath(await localClient()));
  await page.getByRole('button', { name: 'Use another account' }).click();
  await fillSignIn(page, { email: jana.email, password });
  await expect(page.locator('main')).toContainText(jana.email);
  await allow(page);
  await expectReturned(page, callback.url);
});

test('a new user can sign up and return to a long request', async ({ page }) => {
  const client = await localClient();
  const state = 'long state '.repeat(80);
  await page.goto(authorizePath(client, { state }));
  await page.locator('main').getByRole('link', { name: 'Sign up' }).click();
  const email = newAddress('Kira');
  await page.getByLabel('Name').fill('Kira');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-up\/sent/);
  await page.goto(linkMailedTo(email));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page
    .locator('main')
    .getByRole('button', { name: /Confirm|Activate|Sign in/ })
    .click();
  await expect(question(page)).toBeVisible();
  await allow(page);
  await page.waitForURL((url) => url.href.startsWith(callback.url));
  expect(new URL(page.url()).searchParams.get('state')).toBe(state);
});

test('a request that is too long to store is reported before the sign-in', async ({ page }) => {
  const client = await localClient();
  const path = authorizePath(client, { state: 'x'.repeat(3_500) });
  await page.goto(path);
  await expect(page.locator('main')).toContainText('too long to keep while you sign in');
  await expectNoViolations(page, 'a request too long to keep');
  await signInAs(page, await newAccount('Lena'));
  await page.goto(path);
  await expect(question(page)).toBeVisible();
});

test.describe('the consent page without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('lets a user sign in and allow a client, and does not ask again for that client', async ({ page }) => {
    const mona = await newAccount('Mona');
    const client = await websiteClient(page, '/no-script.json');
    for (const isAsked of [true, false]) {
      await page.context().clearCookies();
      await page.goto(authorizePath(client));
      await fillSignIn(page, { email: mona.email, password });
      if (isAsked) await allow(page);
      expect((await expectReturned(page, website)).get('code')).toBeTruthy();
    }
  });
});

test('a user can list and disconnect connected apps in the settings', async ({ page }) => {
  await signInAs(page, await newAccount('Nora'));
  await page.goto('/settings/connections#apps');
  await expect(page.getByRole('heading', { name: 'No connected apps' })).toBeVisible();
  await expectNoViolations(page, 'no connected apps');

  const client = await localClient('Editor');
  await page.goto(authorizePath(client));
  await allow(page);
  await expectReturned(page, callback.url);
  const { body } = await redeem(page.url(), client);
  await page.goto('/settings/connections#apps');
  const row = page.getByRole('listitem').filter({ hasText: 'Editor' });
  await expect(row).toContainText('Unverified');
  await expect(row).toContainText('Find agents · Call agents as you · Read your tasks · Stay connected');
  await expect(row).toContainText('Never used.');
  await expectNoViolations(page, 'a connected app');
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole('button', { name: 'Disconnect Editor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('heading', { name: 'No connected apps' })).toBeVisible();
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '', client_id: client.clientId };
  expect(await requestTokens(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });

  await page.goto('/settings/security?topic=permissions#activity');
  await expect(page.getByText('App connected', { exact: true })).toBeVisible();
  await expect(page.getByText('App disconnected', { exact: true })).toBeVisible();
});
