import { expect, test } from '../support/page';

test.use({ timezoneId: 'America/New_York', locale: 'en-GB' });

test('times are in the reader’s zone and region, even without JavaScript from the second page on', async ({
  page,
  request,
}) => {
  await page.goto('/agents/pizzeria?tab=details');
  const time = page.locator('main time').first();
  const at = await time.getAttribute('datetime');
  const expected = new Date(at ?? '').toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/New_York',
  });
  await expect(time).toHaveText(expected);
  await expect(time).toHaveAttribute('title', /\d{4}/);

  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'parley-zone')?.value).toBe('America%2FNew_York');
  const headers = { cookie: 'parley-zone=America%2FNew_York', 'accept-language': 'en-GB' };
  const html = await (await request.get('/agents/pizzeria?tab=details', { headers })).text();
  expect(/<main[\s\S]*<time[^>]*>[^<]*/.exec(html)?.[0]).not.toContain('UTC');
});

test('times on the first page from the server are marked as UTC', async ({ request }) => {
  const html = await (await request.get('/agents/pizzeria?tab=details')).text();
  expect(html).toMatch(/<time[^>]*>[^<]* UTC/);
});
