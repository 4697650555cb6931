import type { Page } from '@playwright/test';
import * as agent03 from '../../fakes/a2a03';
import { begin, expect, field, history, say, standing, test, turns } from '../chat-world';
import { answerAlways } from './answers';

/** From here on the page notes when it first painted each of these texts, in the clock of this machine. */
async function notePaints(page: Page, texts: string[]): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate((wanted) => {
    const painted: Record<string, number> = {};
    Object.assign(window, { painted });
    const look = (): void => {
      const shown = document.querySelector('[role=log]')?.textContent ?? '';
      for (const text of wanted) {
        if (text in painted || !shown.includes(text)) continue;
        painted[text] = Number.POSITIVE_INFINITY;
        requestAnimationFrame(() => {
          painted[text] = Date.now();
        });
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    document.addEventListener('keydown', ({ key }) => Object.assign(painted, { [key]: Date.now() }), true);
  }, texts);
  return () => page.evaluate(() => Reflect.get(window, 'painted') as Record<string, number>);
}

test.describe('check 6: the first token', () => {
  test('what was sent stands there at once, and the answer’s first words as soon as they came', async ({
    page,
    world,
  }) => {
    const told: number[] = [];
    world.agent.answer(async ({ result, end }) => {
      const id = `up-first-${told.length}-${Math.random()}`;
      result(agent03.status(id, 'working'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      told.push(Date.now());
      result(agent03.artifact(id, `Words of answer ${told.length}.`));
      result(agent03.status(id, 'completed'));
      end();
    });
    await begin(page, world.slug, 'Warm up');
    await expect(standing(page)).toHaveText(/Completed/);
    const sent: number[] = [];
    const heard: number[] = [];
    for (let turn = 2; turn <= 6; turn++) {
      const question = `Question ${turn}?`;
      const answer = `Words of answer ${turn}.`;
      const paints = await notePaints(page, [question, answer]);
      await say(page, question);
      await expect(history(page)).toContainText(answer);
      await expect(turns(page)).toHaveCount(turn);
      await expect(standing(page)).toHaveText(/Completed/);
      const at = await paints();
      sent.push((at[question] ?? Number.NaN) - (at.Enter ?? Number.NaN));
      heard.push((at[answer] ?? Number.NaN) - (told[turn - 1] ?? Number.NaN));
    }
    // The quickest of five: other work on this machine only adds to what the page itself takes. Where nothing else runs, both
    // stay below 100 ms; this only shows that nothing is waited for.
    expect(Math.min(...sent), `${sent} ms from Enter to what was sent`).toBeLessThanOrEqual(500);
    expect(Math.min(...heard), `${heard} ms from the agent’s words to their paint`).toBeLessThanOrEqual(500);
  });

  test('Shift+Enter makes a line, and Enter in the middle of a word of an input method does not send', async ({
    page,
    world,
  }) => {
    answerAlways(world.agent, () => 'Heard');
    await page.goto(`/chat/new?agent=${world.slug}`);
    await field(page).pressSequentially('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await expect(field(page)).toHaveValue('one\ntwo');
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      windowsVirtualKeyCode: 229,
      key: 'Enter',
      code: 'Enter',
    });
    await session.send('Input.insertText', { text: '日' });
    await expect(field(page)).toHaveValue('one\ntwo日');
    await expect(page).toHaveURL(/\/chat\/new/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(history(page)).toContainText('two日');
  });
});
