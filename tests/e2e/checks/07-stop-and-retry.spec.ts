import { randomUUID } from 'node:crypto';
import * as agent03 from '../../fakes/a2a03';
import { countOn } from '../../fakes/counting-script';
import { waitFor } from '../../support/wait-for';
import { copyReply, expect, history, startConversation, statusLine, test } from '../chat-fixture';
import { pieces, replyAlways } from './answers';

test.describe('the retry button', () => {
  test('resends the message as a new turn after a reply, once, however often it is clicked', async ({
    page,
    fixture,
  }) => {
    let count = 0;
    replyAlways(fixture.agent, () => `Answer ${++count}`);
    await startConversation(page, fixture.slug, 'Say it');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Ask again' }).dblclick();
    await expect(history(page).getByText('Answer 2')).toBeVisible();
    await expect(history(page).getByText('Answer 1')).toBeVisible();
    await expect(history(page).getByText('Say it', { exact: true })).toHaveCount(2);
    const sent = fixture.agent.calls('message/stream');
    expect(sent).toHaveLength(2);
    expect(sent[1]?.params.message?.parts).toEqual(sent[0]?.params.message?.parts);
    expect(sent[1]?.params.message?.messageId).not.toBe(sent[0]?.params.message?.messageId);
  });

  test('resends the message after a failure', async ({ page, fixture }) => {
    fixture.agent.answer(({ result, end }) => {
      const id = randomUUID();
      result(agent03.status(id, 'working'));
      result(agent03.status(id, 'failed', 'I broke'));
      end();
    });
    await startConversation(page, fixture.slug, 'Try');
    await expect(statusLine(page)).toHaveText(/Failed/);
    replyAlways(fixture.agent, () => 'Now it works');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(history(page).getByText('Now it works')).toBeVisible();
    await waitFor(() => fixture.agent.calls('message/stream').length === 2, { what: 'the second send' });
  });
});

test.describe('stopping an agent', () => {
  const pauseMs = 60;

  for (const way of ['the button', 'Esc', 'the button after a reload'] as const) {
    test(`by ${way} reaches the agent within a second, keeps the text and is shown`, async ({ page, fixture }) => {
      const script = countOn(fixture.agent, { taskId: `up-stop-${way}`, pieces, pauseMs });
      await startConversation(page, fixture.slug, 'Count');
      await expect(history(page)).toContainText('word7 ');
      if (way === 'the button after a reload') await page.reload();
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
      if (way === 'Esc') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible({ timeout: 1_000 });
      await waitFor(() => fixture.agent.calls('tasks/cancel').length === 1, { timeout: 1_000, what: 'tasks/cancel' });
      await expect(statusLine(page)).toHaveText(/Stopped/);
      await expect(history(page).getByText('Everything received so far is kept.')).toBeVisible();
      expect(await copyReply(page)).toBe(script.emitted());
      await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
    });
  }

  test.describe('that rejects the stop', () => {
    test.use({ expectedErrors: [/409/] });

    test('lets the reply continue, and shows the reason', async ({ page, fixture }) => {
      countOn(fixture.agent, { taskId: 'up-refuse', pieces: pieces.slice(0, 60), pauseMs, refusesCancel: true });
      await startConversation(page, fixture.slug, 'Count');
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByText(/Not stopped\. .*I never stop/).first()).toBeVisible();
      await expect(statusLine(page)).toHaveText(/Completed/);
      expect(await copyReply(page)).toBe(pieces.slice(0, 60).join(''));
    });
  });
});
