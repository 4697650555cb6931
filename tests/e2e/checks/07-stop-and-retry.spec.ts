import { randomUUID } from 'node:crypto';
import * as agent03 from '../../fakes/a2a03';
import { waitFor } from '../../support/wait-for';
import { begin, expect, history, standing, test } from '../chat-world';
import { answerAlways } from './answers';

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
