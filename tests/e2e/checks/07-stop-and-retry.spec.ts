import { randomUUID } from 'node:crypto';
import * as agent03 from '../../fakes/a2a03';
import { countOn } from '../../fakes/counting-script';
import { waitFor } from '../../support/wait-for';
import { begin, copyAnswer, expect, history, standing, test } from '../chat-world';
import { answerAlways, pieces } from './answers';

test.describe('check 7: retry', () => {
  test('asks the same again as a new turn after an answer, once however often it is pressed', async ({
    page,
    world,
  }) => {
    let count = 0;
    answerAlways(world.agent, () => `Answer ${++count}`);
    await begin(page, world.slug, 'Say it');
    await expect(standing(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Ask the same again' }).dblclick();
    await expect(history(page).getByText('Answer 2')).toBeVisible();
    await expect(history(page).getByText('Answer 1')).toBeVisible();
    await expect(history(page).getByText('Say it', { exact: true })).toHaveCount(2);
    const sent = world.agent.calls('message/stream');
    expect(sent).toHaveLength(2);
    expect(sent[1]?.params.message?.parts).toEqual(sent[0]?.params.message?.parts);
    expect(sent[1]?.params.message?.messageId).not.toBe(sent[0]?.params.message?.messageId);
  });

  test('after a failure sends the message again', async ({ page, world }) => {
    world.agent.answer(({ result, end }) => {
      const id = randomUUID();
      result(agent03.status(id, 'working'));
      result(agent03.status(id, 'failed', 'I broke'));
      end();
    });
    await begin(page, world.slug, 'Try');
    await expect(standing(page)).toHaveText(/Failed/);
    answerAlways(world.agent, () => 'Now it works');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(history(page).getByText('Now it works')).toBeVisible();
    await waitFor(() => world.agent.calls('message/stream').length === 2, { what: 'the second send' });
  });
});

test.describe('check 7: stopping', () => {
  const pauseMs = 60;

  for (const way of ['the button', 'Esc', 'the button after a reload'] as const) {
    test(`by ${way} reaches the agent within a second, keeps the text and says so`, async ({ page, world }) => {
      const script = countOn(world.agent, { taskId: `up-stop-${way}`, pieces, pauseMs });
      await begin(page, world.slug, 'Count');
      await expect(history(page)).toContainText('word7 ');
      if (way === 'the button after a reload') await page.reload();
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
      if (way === 'Esc') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible({ timeout: 1_000 });
      await waitFor(() => world.agent.calls('tasks/cancel').length === 1, { timeout: 1_000, what: 'tasks/cancel' });
      await expect(standing(page)).toHaveText(/Stopped/);
      await expect(history(page).getByText('What came before is kept.')).toBeVisible();
      expect(await copyAnswer(page)).toBe(script.told());
      await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
    });
  }

  test.describe('that the agent refuses', () => {
    test.use({ expectedErrors: [/409/] });

    test('goes on, and says why', async ({ page, world }) => {
      countOn(world.agent, { taskId: 'up-refuse', pieces: pieces.slice(0, 60), pauseMs, refusesCancel: true });
      await begin(page, world.slug, 'Count');
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByText(/Not stopped\. .*I never stop/).first()).toBeVisible();
      await expect(standing(page)).toHaveText(/Completed/);
      expect(await copyAnswer(page)).toBe(pieces.slice(0, 60).join(''));
    });
  });
});
