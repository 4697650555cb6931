import { countOn } from '../../fakes/counting-script';
import { waitFor } from '../../support/wait-for';
import { copyReply, expect, field, history, say, sha256, startConversation, statusLine, test } from '../chat-fixture';
import { pieces } from './answers';

const whole = pieces.join('');

test.describe('a reply that is interrupted during its stream', () => {
  let script: ReturnType<typeof countOn>;

  test.beforeEach(({ fixture }) => {
    script = countOn(fixture.agent, { taskId: `up-${Math.random()}`, pieces, pauseMs: 10, holdAt: 60 });
  });

  test.afterEach(async ({ page, fixture }) => {
    await expect(statusLine(page)).toHaveText(/Completed/, { timeout: 60_000 });
    expect(sha256(await copyReply(page))).toBe(sha256(whole));
    expect(fixture.agent.calls('message/stream')).toHaveLength(1);
    expect(fixture.agent.calls('message/send')).toHaveLength(0);
    await expect(history(page).getByRole('heading', { name: 'You' })).toHaveCount(1);
  });

  test('continues after a reload, and ends with identical bytes after a single send', async ({ page, fixture }) => {
    await startConversation(page, fixture.slug, 'Count');
    await expect(history(page)).toContainText('word11 ');
    await page.reload();
    await expect(statusLine(page)).toHaveText(/Working/);
    await expect(history(page)).toContainText('word59 ');
    script.release();
  });

  test('is live in both tabs if it is opened in a second tab', async ({ page, fixture }) => {
    await startConversation(page, fixture.slug, 'Count');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await expect(statusLine(second)).toHaveText(/Working/);
    script.release();
    await expect(statusLine(second)).toHaveText(/Completed/, { timeout: 30_000 });
    expect(sha256(await copyReply(second))).toBe(sha256(whole));
    await second.close();
    await page.bringToFront();
  });

  test.describe('by twenty seconds without a network', { tag: '@nightly' }, () => {
    test.use({
      expectedErrors: [
        /ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_INCOMPLETE|Failed to load resource/,
      ],
    });
    test.setTimeout(120_000);

    test('shows the interruption, and continues once the network returns', async ({ page, context, fixture }) => {
      await startConversation(page, fixture.slug, 'Count');
      await expect(history(page)).toContainText('word11 ');
      fixture.network.cut();
      await context.setOffline(true);
      script.release();
      await expect(page.getByText(/You’re offline/)).toBeVisible();
      const lost = Date.now();
      await waitFor(() => Date.now() - lost > 20_000, { timeout: 30_000, what: 'twenty seconds to pass' });
      await expect(history(page)).not.toContainText('word159 ');
      fixture.network.restore();
      await context.setOffline(false);
      await expect(page.getByText(/You’re offline/)).toBeHidden();
    });
  });

  test.describe('by a server restart', { tag: '@nightly' }, () => {
    test.use({ expectedErrors: [/ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|Failed to load resource/] });
    test.setTimeout(120_000);

    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      test(`continues automatically (${signal})`, async ({ page, fixture }) => {
        await startConversation(page, fixture.slug, 'Count');
        await expect(history(page)).toContainText('word11 ');
        await fixture.parley.kill(signal);
        await fixture.parley.restart();
        script.release();
      });
    }
  });
});

test.describe('a message that cannot be sent', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/] });

  test('remains with its text, and Retry sends it once', async ({ page, context, fixture }) => {
    countOn(fixture.agent, { taskId: 'up-retry', pieces: ['Here.'], pauseMs: 5 });
    await page.goto(`/chat/new?agent=${fixture.slug}`);
    await context.setOffline(true);
    await say(page, 'Are you there?');
    await expect(page.getByText(/Not sent\. You’re offline\./)).toBeVisible();
    await expect(field(page)).toHaveValue('');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/);
    expect(fixture.agent.calls('message/stream')).toHaveLength(1);
  });

  test('appears once and reaches the agent once if it is resent after its response was lost', async ({
    page,
    fixture,
  }) => {
    countOn(fixture.agent, { taskId: 'up-lost', pieces: ['Here.'], pauseMs: 5 });
    let lost = 0;
    await page.route('**/api/chat/messages', async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await page.goto(`/chat/new?agent=${fixture.slug}`);
    await say(page, 'Once');
    await expect(page.getByText(/Not sent\./)).toBeVisible();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(history(page).getByRole('heading', { name: 'You' })).toHaveCount(1);
    expect(fixture.agent.calls('message/stream')).toHaveLength(1);
  });

  test('survives a reload, and can be discarded', async ({ page, context, fixture }) => {
    await page.goto(`/chat/new?agent=${fixture.slug}`);
    await context.setOffline(true);
    await say(page, 'Kept');
    await expect(page.getByText(/Not sent\./)).toBeVisible();
    await context.setOffline(false);
    await page.reload();
    await expect(history(page)).toContainText('Kept');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Examples to try' }).or(history(page))).not.toContainText('Kept');
    expect(fixture.agent.calls('message/stream')).toHaveLength(0);
  });
});
