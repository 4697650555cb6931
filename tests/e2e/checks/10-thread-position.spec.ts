import type { Locator } from '@playwright/test';
import { newUuid } from '@/lib/platform/ids';
import { ChatClient } from '../../http/chat-fixture';
import { waitFor } from '../../support/wait-for';
import { expect, history, test } from '../chat-fixture';
import { replyAlways } from './answers';

/** Tasks per page load, and more than two such pages of them. */
const pageSize = 30;
const turns = 64;

test.describe('the reader’s position while messages load above and below', () => {
  let conversationId = '';
  let ada: ChatClient;

  test.beforeAll(async ({ fixture }) => {
    // Taller than the estimate for content not yet rendered.
    const lines = Array.from({ length: 12 }, (_, n) => `- line ${n}`).join('\n');
    replyAlways(fixture.agent, (text) => `Answer to ${text}.\n\n${lines}`);
    ada = new ChatClient(fixture.parley.url, fixture.person);
    ({ conversationId } = await ada.say({ agentSlug: fixture.slug, text: 'Message 0' }));
    for (let n = 1; n < turns; n++) await say(`Message ${n}`);
  });

  async function say(text: string): Promise<void> {
    const message = { conversationId, messageId: newUuid(), text };
    await waitFor(async () => (await ada.post(message)).status === 202, { what: text });
  }

  test('starts at the end, without loading earlier messages', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/chat/${conversationId}`);
    const last = history(page).locator('[data-task]').last();
    await expect(last).toBeInViewport();
    await restingTop(last);
    expect(asked.filter((url) => /[?&]before=/.test(url))).toEqual([]);
  });

  const cases = [
    { where: 'at the very top', scrollTop: 0, anchoring: 'none' },
    { where: 'near the top', scrollTop: 250, anchoring: 'none' },
    { where: 'at the very top', scrollTop: 0, anchoring: 'auto' },
    { where: 'near the top', scrollTop: 250, anchoring: 'auto' },
  ];
  for (const { where, scrollTop, anchoring } of cases) {
    const tag = anchoring === 'auto' ? '@nightly' : [];
    test(`stays ${where}, with overflow-anchor: ${anchoring}`, { tag }, async ({ page }) => {
      let asked: () => void = () => undefined;
      let response: () => void = () => undefined;
      const isAsked = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const mayAnswer = new Promise<void>((resolve) => {
        response = resolve;
      });
      await page.route(/[?&]before=/, async (route) => {
        asked();
        await mayAnswer;
        await route.continue();
      });
      await page.goto(`/chat/${conversationId}`);
      const log = history(page);
      const messages = log.locator('[data-task]');
      await expect(messages.last()).toBeInViewport();
      const first = String(await messages.first().getAttribute('data-task'));
      const known = log.locator(`[data-task="${first}"]`).first();
      await log.evaluate((element, value) => element.style.setProperty('overflow-anchor', value), anchoring);
      await log.evaluate((element, top) => element.scrollTo(0, top), scrollTop);
      await isAsked;
      const before = await restingTop(known);
      const count = await messages.count();

      await say('One below');
      await expect.poll(() => messages.count()).toBe(count + 2);
      response();
      await say('Another one meanwhile');
      await expect.poll(() => messages.count()).toBe(count + 2 + 2 + 2 * pageSize);
      await expect(messages.first()).not.toHaveAttribute('data-task', first);
      expect(Math.abs((await restingTop(known)) - before)).toBeLessThanOrEqual(1);
    });
  }
});

/** An element's position in the window once nothing moves it any more. */
function restingTop(element: Locator): Promise<number> {
  return element.evaluate(async (one) => {
    let [top, frames] = [Number.NaN, 0];
    while (frames < 20) {
      await new Promise(requestAnimationFrame);
      const now = one.getBoundingClientRect().top;
      frames = now === top ? frames + 1 : 0;
      top = now;
    }
    return top;
  });
}
