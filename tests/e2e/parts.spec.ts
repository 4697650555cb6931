import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Artifact } from '@/lib/protocol/a2a/core/model';
import { demoUser, expect, test } from '../support/page';
import { hostileLinks, hostileMarkdown } from '../unit/parts/hostile-markdown';

const csv = `city,date,price\n${Array.from({ length: 48 }, (_, row) => {
  const month = String((row % 12) + 1).padStart(2, '0');
  return `${['Rome', 'Milan', 'Turin'][row % 3]},2024-${month}-01,${10 + (row % 7) * 1.5}`;
}).join('\n')}`;

/** Signs the demo user in and sends a message; the page then shows the conversation. */
async function say(page: Page, message: { agentSlug: string; text: string }): Promise<string> {
  await page.goto('/agents');
  const headers = { origin: new URL(page.url()).origin };
  await expect(await page.request.post('/api/auth/local', { data: demoUser(), headers })).toBeOK();
  const posted = await page.request.post('/api/chat/messages', {
    data: { ...message, messageId: randomUUID() },
    headers,
  });
  await expect(posted).toBeOK();
  const { conversationId } = (await posted.json()) as { conversationId: string };
  await page.goto(`/chat/${conversationId}`);
  return conversationId;
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([]);
}

/** A server that nobody may ask for anything. */
async function listenForCalls(): Promise<{ host: string; calls: string[]; server: Server }> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls, server };
}

test('XSS-1: hostile Markdown runs nothing, loads nothing and links nowhere hidden', async ({ page }) => {
  const { host, calls, server } = await listenForCalls();
  const dialogs: string[] = [];
  const foreign: string[] = [];
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  const corpus = [...hostileLinks(), ...hostileMarkdown.filter(({ length }) => length < 500)]
    // A fence that is never closed would hide what follows it.
    .filter((text) => !/```|~~~/.test(text))
    .join('\n\n')
    .replaceAll('https://CANARY', `http://${host}`)
    .replaceAll('CANARY', host);
  await say(page, { agentSlug: 'conformance', text: corpus });
  const ours = new URL(page.url()).origin;
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== ours) foreign.push(request.url());
  });
  await page.reload();
  const answer = page.getByRole('article').last();
  await expect(answer.locator('a').nth(30)).toBeVisible();

  const found = await page.locator('main').evaluate((main) => ({
    active: [
      ...main.querySelectorAll(
        'script, iframe, object, embed, img, video, audio, link, style, base, meta, form[action]',
      ),
    ].map((element) => element.outerHTML.slice(0, 120)),
    handlers: [...main.querySelectorAll('*')].filter(({ attributes }) =>
      [...attributes].some(({ name }) => name.startsWith('on')),
    ).length,
    links: [...main.querySelectorAll<HTMLAnchorElement>('article a')].map(({ protocol, rel, target }) =>
      [protocol, rel, target].join(' '),
    ),
  }));
  expect(found.active).toEqual([]);
  expect(found.handlers).toBe(0);
  expect(found.links.length).toBeGreaterThan(30);
  for (const link of found.links) expect(link).toMatch(/^(https?|mailto): noopener nofollow ugc _blank$/);
  expect({ dialogs, foreign, calls }).toEqual({ dialogs: [], foreign: [], calls: [] });
  server.close();
});

test('a cart is drawn with its lines and total, fits a phone, and can be declined', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await say(page, { agentSlug: 'pizzeria', text: 'One large Margherita and a small Diavola to 12 Via Appia, Rome' });
  const cart = page.getByRole('figure', { name: 'Cart' });
  await expect(cart).toBeVisible();
  await expect(cart).toContainText('Trattoria Parley');
  await expect(cart).toContainText('Offered by the agent');
  await expect(cart.getByRole('row', { name: /Margherita/ })).toBeVisible();
  await expect(cart).toContainText('Verified');
  await expect(cart).toContainText(/Parley checked it: \d+ checks passed/);
  await expect(cart).toContainText(/Valid until .* left/);
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
  await expectAccessible(page);

  await cart.getByRole('button', { name: 'Decline' }).click();
  await expect(cart.getByRole('button', { name: `Pay ${total}` })).toBeDisabled();
  // The button is gone; whoever works by keyboard is not thrown back to the top of the page.
  await expect(page.locator('body')).not.toBeFocused();
  await expect(page.getByRole('article').filter({ hasText: /I decline this offer \(cart cart_/ })).toBeVisible();
});

test('the artifacts of an analysis: table, chart, and downloads to the byte', async ({ page }) => {
  const conversationId = await say(page, { agentSlug: 'analyst', text: `\`\`\`csv\n${csv}\n\`\`\`` });
  await expect(page.getByRole('figure', { name: /^Chart: / })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('columnheader', { name: 'Distinct' })).toBeVisible();
  await expect(page.getByRole('figure', { name: 'File report.md' })).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: /^Artifacts/ }).click();
  const panel = page
    .getByRole('complementary', { name: 'Artifacts' })
    .or(page.getByRole('dialog', { name: 'Artifacts' }));
  await panel.getByRole('button', { name: /^Analysis/ }).press('Enter');
  await expect(panel.getByRole('heading', { name: 'Analysis', level: 3 })).toBeFocused();
  const artifacts = await artifactsOf(page, conversationId);
  expect(await saved(page, () => panel.getByRole('button', { name: 'Download Analysis.md' }).click())).toBe(
    digest(Buffer.from(artifacts.text, 'utf8')),
  );
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'All artifacts' }).click();
  await expect(panel.getByRole('button', { name: /^Analysis/ })).toBeFocused();

  await panel.getByRole('button', { name: /^Report/ }).click();
  expect(await saved(page, () => panel.getByRole('button', { name: 'Download report.md' }).click())).toBe(
    digest(Buffer.from(artifacts.report, 'base64')),
  );
});

/** What the server has of the analysis: its text, and the report as base64. */
async function artifactsOf(page: Page, conversationId: string): Promise<{ text: string; report: string }> {
  const answer = await page.request.get(`/api/chat/conversations/${conversationId}`);
  const { tasks } = (await answer.json()) as {
    tasks: { events: { event: { type: string; artifact?: Artifact } }[] }[];
  };
  const parts = tasks.flatMap(({ events }) =>
    events.flatMap(({ event }) =>
      (event.artifact?.parts ?? []).map((part) => ({ id: event.artifact?.artifactId, part })),
    ),
  );
  const text = parts.flatMap(({ id, part }) => (id === 'analysis' && part.kind === 'text' ? [part.text] : [])).join('');
  const report = parts.flatMap(({ part }) => (part.kind === 'bytes' ? [part.bytes] : [])).join('');
  return { text, report };
}

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download');
  await press();
  return digest(readFileSync(await (await download).path()));
}

function digest(bytes: Uint8Array): string {
  return `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
}
