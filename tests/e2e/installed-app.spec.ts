import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import { askBack } from '../contract/web-push-fixture';
import { PushService } from '../fakes/push-service';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { listAgent, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { field } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

test.use({ serviceWorkers: 'allow' });

let person: Account;
test.beforeEach(async ({ page }) => {
  person = await newAccount('Rita');
  await signInAs(page, person);
});

const copies = (page: Page): Promise<{ id: string; messages: { text: string }[] }[]> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('parley', 1);
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve([]);
        opening.onsuccess = () => {
          const all = opening.result.transaction('conversations').objectStore('conversations').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result);
          };
        };
      }),
  );

/** Waits until the service worker controls the page. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Opens a new conversation and returns its path, when the browser has a copy. */
async function converse(page: Page, text: string): Promise<string> {
  await page.goto('/chat/new?agent=conformance');
  await controlled(page);
  await field(page).fill(text);
  await field(page).press('Enter');
  await expect(page).toHaveURL(/\/chat\/cnv_/);
  const { pathname } = new URL(page.url());
  await expect
    .poll(async () => (await copies(page)).find(({ id }) => pathname.endsWith(id))?.messages.length)
    .toBeGreaterThan(1);
  return pathname;
}

test('Parley can be installed, with a manifest, icons, screenshots, shortcuts and a share target', async ({
  page,
  request,
}) => {
  await page.goto('/');
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Every context of a test is one.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  const manifest = JSON.parse(data ?? '');
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    const image = await request.get(src);
    expect([image.status(), image.headers()['content-type']], src).toEqual([200, 'image/png']);
    const png = await image.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
  }
  for (const { url } of manifest.shortcuts) {
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 }).first(), url).toBeAttached();
  }
});

test.describe('a notification', () => {
  let service: PushService;
  let agent: ScriptedAgent;
  let slug: string;
  test.beforeAll(async () => {
    service = await PushService.start();
    agent = await ScriptedAgent.start({ name: 'Asker' });
    askBack(agent, 'Which city?');
    const owner = await newAccount('Olga');
    slug = await listAgent(setting('parleyUrl'), owner, { url: agent.url, visibility: 'unlisted' });
  });
  test.afterAll(() => Promise.all([service.stop(), agent.stop()]));

  test('from a real push is displayed by the browser, and opens the exact message when pressed', async ({
    page,
    context,
  }) => {
    const browser = service.subscribe();
    await stubSubscription(context, browser.subscription);
    await context.grantPermissions(['notifications']);
    await reportPermission(context);
    await page.goto('/settings/notifications');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible();
    await expectNoViolations(page, 'the settings of notifications');

    const { conversationId, taskId } = await ask(person, slug);
    await expect.poll(() => browser.messages().length).toBe(1);
    const { text } = browser.requests[0] ?? { text: '' };
    const worker = await workerOf(context);
    await keepNotifications(worker);
    await deliver(page, text);
    await expect.poll(() => notifications(worker)).toEqual([{ title: 'Parley', body: 'An agent has a question' }]);

    await press(worker);
    await expect.poll(() => notifications(worker)).toEqual([]);
    await expect(page).toHaveURL(new RegExp(`/chat/${conversationId}`));
    await expect(page.getByText('Which city?').first()).toBeInViewport();
    expect(JSON.parse(text).url).toBe(`/chat/${conversationId}?at=${taskId}`);
    expect(service.faults).toEqual([]);
  });

  test('is not sent for content that a visible page shows', async ({ page, context }) => {
    const browser = service.subscribe();
    const origin = setting('parleyUrl');
    const body = browser.subscription;
    const subscribed = await send(`${origin}/api/web-push/devices`, { body, cookie: person.cookie, origin });
    expect(subscribed.status).toBe(201);
    const { conversationId } = await ask(person, slug);
    const seen = page.waitForResponse((response) => response.url().endsWith('/api/web-push/seen'));
    await page.goto(`/chat/${conversationId}`);
    await expect(page.getByText('Which city?').first()).toBeVisible();
    expect((await seen).status()).toBe(204);
    expect(browser.requests).toEqual([]);
    expect(context.pages()).toHaveLength(1);
  });
});

/** Without a window, Chromium says `denied` in `Notification.permission` although the permission is granted. */
async function reportPermission(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const granted = (): boolean => localStorage.getItem('test.granted') === '1';
    const request = Notification.requestPermission.bind(Notification);
    Object.defineProperty(Notification, 'permission', { get: () => (granted() ? 'granted' : 'default') });
    Notification.requestPermission = async () => {
      const answer = await request();
      if (answer === 'granted') localStorage.setItem('test.granted', '1');
      return answer;
    };
  });
}

/** Makes the browser subscribe at the push service of the test, because its own is not reachable. */
async function stubSubscription(context: BrowserContext, subscription: object): Promise<void> {
  await context.addInitScript((json) => {
    let current: object | null = null;
    const fake = { toJSON: () => json, unsubscribe: async () => true, options: {} };
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        current = fake;
        return fake;
      },
      getSubscription: async () => current,
    });
  }, subscription);
}

/** The user asks the agent, which asks back. */
async function ask({ cookie }: Account, agentSlug: string): Promise<{ conversationId: string; taskId: string }> {
  const origin = setting('parleyUrl');
  const body = { agentSlug, messageId: crypto.randomUUID(), text: 'Book a table' };
  const response = await send(`${origin}/api/chat/messages`, { body, cookie, origin });
  expect(response.status).toBe(202);
  return (await response.json()) as { conversationId: string; taskId: string };
}

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
}

/** Delivers a decrypted message to the service worker, as the browser does for one of its push service. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(session);
  await session.send('ServiceWorker.deliverPushMessage', { origin: setting('parleyUrl'), registrationId, data });
}

async function registrationOf(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return found;
}

/** The names that exist in a service worker; the test itself is compiled for pages. */
interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  ExtendableEvent: new (type: string) => Event;
  NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event;
}

/**
 * Keeps what the service worker displays if the browser cannot display it: Chromium without a window (`headless_shell`)
 * has no notifications. With Chrome, the browser's own notifications are used.
 */
async function keepNotifications(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    if (Notification.permission === 'granted') return;
    const { registration } = Object(self) as WorkerScope;
    let shown: Notification[] = [];
    const show = async (title: string, { tag, ...options }: NotificationOptions): Promise<void> => {
      const close = (): void => {
        shown = shown.filter((one) => one !== notification);
      };
      const notification: Notification = Object({ title, tag, ...options, close });
      shown = [...shown.filter((one) => one.tag !== tag), notification];
    };
    Object.assign(registration, { showNotification: show, getNotifications: async () => shown });
  });
}

function notifications(worker: Worker): Promise<{ title: string; body: string }[]> {
  return worker.evaluate(async () => {
    const { registration } = Object(self) as WorkerScope;
    return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
  });
}

/** Presses the notification. */
async function press(worker: Worker): Promise<void> {
  await worker.evaluate(async () => {
    const scope = Object(self) as WorkerScope;
    const [notification] = await scope.registration.getNotifications();
    const event =
      notification instanceof Notification
        ? new scope.NotificationEvent('notificationclick', { notification })
        : Object.assign(new scope.ExtendableEvent('notificationclick'), { notification });
    scope.dispatchEvent(event);
  });
}

test.describe('the installed app without a network', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/] });

  test('shows read-only copies of the last read conversations until the user signs out', async ({ page, context }) => {
    const path = await converse(page, 'Hello <b>there</b>');
    await page.goto('/orders');
    await context.setOffline(true);
    await page.goto('/agents', { waitUntil: 'load' });
    await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
    await expectNoViolations(page, 'the offline page');
    await page.getByRole('listitem').getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(path));
    await expect(page.getByRole('heading', { name: 'Hello <b>there</b>' })).toBeVisible();
    await expect(page.getByRole('paragraph').filter({ hasText: 'Hello <b>there</b>' })).toHaveCount(2);
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(field(page)).toBeVisible();

    await page.goto('/sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('list', { name: 'Try one now' })).toBeVisible();
    await expect.poll(() => copies(page)).toEqual([]);
    await context.setOffline(true);
    await page.goto(path, { waitUntil: 'load' });
    await expect(page.getByRole('heading', { name: /offline/ })).toBeVisible();
    await expect(page.getByText('Hello')).toHaveCount(0);
    await context.setOffline(false);
  });

  test('shows nothing to another user of the browser', async ({ page }) => {
    await converse(page, 'For Rita only');
    const other = await newAccount('Otto');
    await signInAs(page, other);
    await page.goto('/orders');
    await expect.poll(() => copies(page)).toEqual([]);
  });
});

test('text and files that another app shares go into the composer, and nothing is sent', async ({ page }) => {
  await page.goto('/orders');
  await controlled(page);
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), {
      method: 'post',
      action: '/chat/share',
      enctype: 'multipart/form-data',
    });
    const values = new DataTransfer();
    values.items.add(new File(['a,b\n1,2\n'], 'table.csv', { type: 'text/csv' }));
    for (const [name, value] of [
      ['title', 'Prices'],
      ['text', 'Please check these prices'],
      ['url', ''],
    ]) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    }
    const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files' });
    files.files = values.files;
    form.append(files);
    document.body.append(form);
    form.submit();
  });
  // This Parley has no concierge, so the user chooses an agent.
  await expect(page).toHaveURL(/\/agents$/);
  await page.goto('/chat/new?agent=conformance');
  await expect(field(page)).toHaveValue('Prices\nPlease check these prices');
  await expect(page.getByText('table.csv', { exact: true })).toBeVisible();
  expect(posted.filter((path) => path.startsWith('/api/chat'))).toEqual([]);
  await page.reload();
  await expect(field(page)).toHaveValue('Prices\nPlease check these prices');
});

test('a guest gets no service worker', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: setting('parleyUrl'), serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto('/agents/conformance', { waitUntil: 'networkidle' });
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await context.close();
});
