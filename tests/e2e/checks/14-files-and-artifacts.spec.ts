import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, field, history, startConversation, statusLine, test } from '../chat-fixture';
import { answerParts, replyAlways } from './answers';

test.describe('files and artifacts', () => {
  test('include an upload that shows its progress, and can be canceled or sent', async ({ page, fixture }) => {
    replyAlways(fixture.agent, () => 'Got it');
    await page.goto(`/chat/new?agent=${fixture.slug}`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'big.txt',
      mimeType: 'text/plain',
      buffer: Buffer.alloc(600_000, 'x'),
    });
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('big.txt');
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/api/chat/messages', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await field(page).fill('With a file');
    await field(page).press('Enter');
    await expect(page.getByRole('progressbar', { name: 'Upload progress' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await expect(page.getByText('Not sent. You canceled the upload.')).toBeVisible();
    expect(fixture.agent.calls('message/stream')).toHaveLength(0);
    letThrough();
    await page.unroute('**/api/chat/messages');
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await expect(statusLine(page)).toHaveText(/Completed/);
    expect(fixture.agent.calls('message/stream')).toHaveLength(1);
  });

  test('include an agent’s page in a frame with an opaque origin, without scripts or requests', async ({
    page,
    fixture,
  }) => {
    const calls: string[] = [];
    const tracker = createServer((request, response) => {
      calls.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve));
    const { port } = tracker.address() as AddressInfo;
    const html =
      `<style>h1{color:green}</style><h1>Report</h1><img src="http://127.0.0.1:${port}/track.png">` +
      '<script>parent.document.title="taken";document.body.append("RAN")</script>';
    answerParts(fixture.agent, [
      {
        kind: 'file',
        file: { name: 'report.html', mimeType: 'text/html', bytes: Buffer.from(html).toString('base64') },
      },
    ]);
    await startConversation(page, fixture.slug, 'Make a page');
    await history(page).getByRole('button', { name: 'Show page' }).click();
    const frame = history(page).locator('iframe');
    await expect(frame).toHaveAttribute('sandbox', '');
    const inside = history(page).frameLocator('iframe');
    await expect(inside.getByRole('heading', { name: 'Report' })).toBeVisible();
    await expect(inside.locator('body')).not.toContainText('RAN');
    await expect(page).not.toHaveTitle(/taken/);
    expect(calls).toEqual([]);
    tracker.close();
  });

  // The browser reports everything that it blocks.
  test.use({ expectedErrors: [/Content Security Policy|sandboxed/] });
});
