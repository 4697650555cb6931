import { expect, test } from '../support/page';
import { field, history, openWithMessage, say, signInAsDemo, statusLine } from './chat-fixture';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const markdown = [
  'one\ntwo, ~5 to ~10 minutes, $5 and $10',
  'The area is $\\pi r^2$.\n\n$$\n\\frac{a}{b}\n$$',
  '```ts\nconst answer: number = 42;\n```',
  '```mermaid\ngraph TD; A[Start]-->B["<img src=x onerror=alert(1)>"];\n```',
  '| a |\n|---|\n| x<br>y |',
  '- שלום\n- عالم',
  'Noted[^1].\n\n[^1]: The footnote.',
].join('\n\n');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`agent text is rendered as intended, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openWithMessage(page, { agentSlug: 'conformance', text: markdown });
    await expect(statusLine(page)).toHaveText(/Completed/);
    const response = history(page).locator('article').last();
    await expect(response.locator('.katex')).toHaveCount(2);
    const keyword = response.locator('.hljs-keyword').first();
    await expect(keyword).toHaveText('const');
    const [word, code] = await Promise.all([
      keyword.evaluate((element) => getComputedStyle(element).color),
      response
        .locator('pre')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
    ]);
    expect(word).not.toBe(code);
    await expect(response.locator('td br')).toHaveCount(1);
    await expect(response.locator('ul')).toHaveCSS('direction', 'rtl');
    await expect(response.getByText('$5 and $10')).toBeVisible();
    await expect(response.getByText('$5 and $10')).toHaveCSS('font-variant-ligatures', 'none');
    await response.getByRole('link', { name: 'Footnote 1', exact: true }).click();
    await expect(response.getByRole('listitem').filter({ hasText: 'The footnote.' })).toBeFocused();
  });
}

test.describe('a diagram', () => {
  test.use({ expectedErrors: [/Content Security Policy directive: "img-src data:"/] });

  test('is rendered in a frame that cannot access the page, and its source remains readable', async ({ page }) => {
    await openWithMessage(page, { agentSlug: 'conformance', text: markdown });
    const response = history(page).locator('article').last();
    await expect(response.getByText('graph TD')).toBeVisible();
    const frame = response.locator('iframe');
    // The block may still be replaced by its interactive form: then a click has no effect.
    await expect(async () => {
      await response.getByRole('button', { name: 'Show diagram' }).click();
      await expect(frame).toHaveAttribute('sandbox', 'allow-scripts', { timeout: 2_000 });
    }).toPass();
    await expect(frame.contentFrame().locator('svg').first()).toBeVisible();
    await expect(frame.contentFrame().getByText('Start', { exact: true })).toBeVisible();
    await response.getByRole('button', { name: 'Show source' }).click();
    await expect(response.getByText('graph TD')).toBeVisible();
  });
});

test.describe('the composer', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('attaches a pasted image with a preview, and inserts pasted text as text', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    await field(page).focus();
    const paste = (text: string) =>
      field(page).evaluate(
        (element, [base64 = '', plain = '']) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
          if (plain) clipboardData.setData('text/plain', plain);
          const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
          return element.dispatchEvent(event);
        },
        [png, text],
      );
    expect(await paste('')).toBe(false);
    await expect(page.getByRole('img', { name: 'Preview of image.png' })).toBeVisible();
    expect(await paste('')).toBe(false);
    await expect(page.getByRole('button', { name: 'Remove image-2.png' })).toBeVisible();
    expect(await paste('A\t1')).toBe(true);
    await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
  });

  test('queues messages that are sent while the agent works', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    await say(page, 'slow 400');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await say(page, 'and another thing');
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await expect(conversation.getByRole('region', { name: '1 queued message' })).toContainText('and another thing');
    await expect(field(page)).toHaveValue('');
  });
});
