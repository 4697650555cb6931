import { booking, openSurface, showsSurface } from './a2ui-fixture';
import { expect, history, test } from './chat-fixture';
import { violationsOn } from './expect-no-violations';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    const isNightly = colorScheme === 'dark' || width > 360;
    test.describe(`a booking surface, ${colorScheme}, ${width} px`, { tag: isNightly ? '@nightly' : [] }, () => {
      test.use({ colorScheme, viewport: { width, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

      test('is filled in and answered by keyboard alone, and has no accessibility violations', async ({
        page,
        fixture,
      }) => {
        showsSurface(fixture.agent, booking);
        const surface = await openSurface(page, fixture.slug);
        await expect(surface.getByText('Book a table')).toBeVisible();
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/open-${colorScheme}-${width}.png`, fullPage: false });
        const { keyboard } = page;
        const book = surface.getByRole('button', { name: 'Book' });
        await book.focus();
        await keyboard.press('Enter');
        await expect(surface.getByText('Choose a day.')).toBeVisible();
        const day = surface.getByLabel('Day', { exact: true });
        await expect(day).toBeFocused();
        expect(await violationsOn(page), 'fault').toEqual([]);
        await keyboard.type('12242026');
        await expect(day).toHaveValue('2026-12-24');
        await expect(surface.getByText('Choose a day.')).toHaveCount(0);
        const tabTo = async (name: string, role: 'slider' | 'radio' | 'checkbox' | 'textbox' | 'button') => {
          const target = surface.getByRole(role, { name, exact: true });
          while (!(await target.evaluate((one) => one === document.activeElement))) await keyboard.press('Tab');
        };
        await tabTo('People', 'slider');
        await keyboard.press('ArrowRight');
        await keyboard.press('ArrowRight');
        await tabTo('Inside', 'radio');
        await keyboard.press('ArrowRight');
        await tabTo('High chair', 'checkbox');
        await keyboard.press('Space');
        await tabTo('Note', 'textbox');
        await keyboard.type('Window');
        await tabTo('Cancellation terms', 'button');
        await keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: /^View from / });
        await expect(dialog.getByText('24 hours')).toBeVisible();
        expect(await violationsOn(page), 'dialog').toEqual([]);
        await keyboard.press('Escape');
        await tabTo('Book', 'button');
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/filled-${colorScheme}-${width}.png` });
        expect(await violationsOn(page), 'filled in').toEqual([]);
        await keyboard.press('Enter');
        await expect(history(page).getByText('Your table is booked')).toBeVisible();
        await expect(history(page).getByText('4 people, 24 Dec 2026')).toBeVisible();
        const message = fixture.agent.received.at(-1)?.params.message;
        expect(message?.parts).toEqual([
          {
            kind: 'data',
            data: {
              version: 'v1.0',
              action: {
                ...{ name: 'book', surfaceId: 'booking', sourceComponentId: 'book', timestamp: expect.any(String) },
                context: {
                  ...{ day: '2026-12-24', people: 4, seating: ['terrace'] },
                  wishes: { chair: true, note: 'Window' },
                },
              },
            },
            metadata: { mimeType: 'application/a2ui+json', 'parley.view': 'action', 'parley.label': 'Book' },
          },
        ]);
        expect(await violationsOn(page), 'answered').toEqual([]);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/done-${colorScheme}-${width}.png` });
      });
    });
  }
}
