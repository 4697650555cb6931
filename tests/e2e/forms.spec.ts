import type { JsonObject } from '@/lib/protocol/json';
import { expect, field, history, test } from './chat-fixture';
import { expectNoViolations, violationsOn } from './expect-no-violations';
import { asksWith, claim, openForm, receipt } from './forms-fixture';

const answer = {
  ...{ purpose: 'Trip to the customer', category: 'meal', day: '2026-03-01', amount: 99.5 },
  ...{ receipt: 'receipt.pdf', confirmed: true },
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    const isNightly = colorScheme === 'dark' || width > 360;
    test.describe(`a form, ${colorScheme}, ${width} px`, { tag: isNightly ? '@nightly' : [] }, () => {
      test.use({ colorScheme, viewport: { width, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

      test('receives the focus, is filled in by keyboard alone, and has no accessibility violations', async ({
        page,
        fixture,
      }) => {
        asksWith(fixture.agent, claim);
        const form = await openForm(page, fixture.slug);
        await expect(form).toBeFocused();
        await expect(form.getByText('Expense claim')).toBeInViewport();
        const { keyboard } = page;
        await keyboard.press('Tab');
        await expect(form.getByRole('textbox', { name: 'Purpose' })).toBeFocused();
        await keyboard.type('Trip');
        await keyboard.press('Enter');
        await expect(form.getByText('Enter at least 5 characters.')).toBeVisible();
        await expect(form.getByRole('textbox', { name: 'Purpose' })).toBeFocused();
        expect(await violationsOn(page), 'errors').toEqual([]);
        await keyboard.type(' to the customer');
        await expect(form.getByText('Enter at least 5 characters.')).toHaveCount(0);
        await keyboard.press('Tab');
        await keyboard.press('ArrowDown');
        await expect(form.getByRole('radio', { name: 'Meals' })).toBeChecked();
        await keyboard.press('Tab');
        await keyboard.type('03012026');
        await expect(form.getByLabel('Date')).toHaveValue('2026-03-01');
        while (!(await form.getByRole('textbox', { name: 'Amount' }).evaluate((one) => one === document.activeElement)))
          await keyboard.press('Tab');
        await keyboard.type('99,50');
        await keyboard.press('Tab');
        const file = form.getByRole('button', { name: 'Receipt Choose file' });
        await expect(file).toBeFocused();
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Space')]);
        await chooser.setFiles(receipt);
        await expect(form.getByText('receipt.pdf')).toBeVisible();
        const confirmed = form.getByRole('checkbox', { name: 'The receipt is the original' });
        while (!(await confirmed.evaluate((one) => one === document.activeElement))) await keyboard.press('Tab');
        await keyboard.press('Space');
        expect(await violationsOn(page), 'filled in').toEqual([]);
        await keyboard.press('Tab');
        await expect(form.getByRole('button', { name: 'File the claim' })).toBeFocused();
        await keyboard.press('Enter');
        await expect(history(page).getByText('Filed', { exact: true })).toBeVisible();
        const [text, data, attached] = fixture.agent.messages.at(-1)?.params.message?.parts ?? [];
        // The agent does not declare that it reads JSON.
        expect(text?.text).toContain('Purpose: Trip to the customer\nCategory: Meals');
        expect(data).toEqual({ kind: 'data', data: answer, metadata: { 'parley.view': 'form-answer' } });
        expect(attached).toMatchObject({ kind: 'file', file: { name: 'receipt.pdf', mimeType: 'application/pdf' } });
        await expect(history(page).getByText('€99.50')).toBeVisible();
        await expect(history(page).getByText('Mar 1, 2026')).toBeVisible();
        expect(await violationsOn(page), 'answered').toEqual([]);
      });
    });
  }
}

test('a form keeps what was entered until it is answered, and can be answered in words', async ({ page, fixture }) => {
  asksWith(fixture.agent, claim);
  const form = await openForm(page, fixture.slug);
  await form.getByRole('textbox', { name: 'Purpose' }).fill('Taxi');
  await form.getByRole('checkbox', { name: 'Events' }).check();
  await form.getByRole('combobox', { name: 'Country' }).selectOption('ES');
  await page.reload();
  await expect(form.getByRole('textbox', { name: 'Purpose' })).toHaveValue('Taxi');
  await expect(form.getByRole('checkbox', { name: 'Events' })).toBeChecked();
  await expect(form.getByRole('combobox', { name: 'Country' })).toHaveValue('3');
  await field(page).fill('Taxi, 20 euros, today');
  await field(page).press('Enter');
  await expect(history(page).getByText('Filed', { exact: true })).toBeVisible();
  const { parts = [], taskId } = fixture.agent.messages.at(-1)?.params.message ?? {};
  expect(parts).toMatchObject([{ kind: 'text', text: 'Taxi, 20 euros, today' }]);
  expect(taskId).toBeDefined();
  await expect(form).toHaveCount(0);
  const drafts = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('.form.')));
  expect(drafts).toEqual([]);
});

test('a form in German has German texts around the agent’s own', async ({ page, fixture }) => {
  asksWith(fixture.agent, claim);
  await page.goto('/agents?lang=de');
  await page.goto(`/chat/new?agent=${fixture.slug}`);
  await page.locator('#composer-text').fill('Los');
  await page.locator('#composer-text').press('Enter');
  const form = page.getByRole('form', { name: /^Frage von / });
  await form.getByRole('button', { name: 'File the claim' }).click();
  await expect(form.getByText('Füllen Sie dieses Feld aus.').first()).toBeVisible();
  await expect(form.getByText('Geben Sie ein Datum ein.')).toBeVisible();
  await expect(form.getByText('6 Felder prüfen')).toBeVisible();
});

const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
const hostile: [string, JsonObject, RegExp][] = [
  ['2,000 properties', { kind: 'form', schema: { properties: many } }, /too many fields/],
  ['a loop', { kind: 'form', schema: { properties: { a: { $ref: '#' } } } }, /can’t be shown as a form/],
  ['a password', { kind: 'form', schema: { properties: { a: { format: 'password' } } } }, /Don’t send it/],
  [
    'a payment',
    { kind: 'form', schema: { properties: { 'ap2.mandates.PaymentMandate': { const: {} } } } },
    /only pay with Parley’s own button/,
  ],
];

test('a form that is hostile shows why it cannot be one, calls no other host, and runs nothing', async ({
  page,
  fixture,
}) => {
  const otherHosts: string[] = [];
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|data:|blob:)/.test(request.url())) otherHosts.push(request.url());
  });
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) failures.push(message.text());
  });
  for (const [name, data, text] of hostile) {
    asksWith(fixture.agent, data);
    await openForm(page, fixture.slug);
    await expect(history(page).getByText(text), name).toBeVisible();
    await expect(field(page), name).toBeEnabled();
  }
  const slow = `^${'(a+)+'.repeat(5)}$`;
  const script = '<img src=https://evil.example/x onerror=alert(1)>';
  asksWith(fixture.agent, {
    ...{ kind: 'form', title: `${script}\u202eevil`, message: script, submit: script },
    schema: {
      title: script,
      properties: {
        [script]: { title: script, description: `[x](https://evil.example) ${script}`, pattern: slow, default: script },
        choice: { enum: ['\u202eabc', 'b'], title: 'Choice' },
        link: { type: 'string', format: 'uri', default: 'javascript:alert(1)' },
      },
    },
  });
  const form = await openForm(page, fixture.slug);
  const input = form.getByRole('textbox').first();
  await input.fill(`${'a'.repeat(5_000)}!`);
  const started = Date.now();
  await form.getByRole('button').last().click();
  await expect(history(page).getByText('Filed', { exact: true })).toBeVisible();
  expect(Date.now() - started).toBeLessThan(10_000);
  await expect(history(page).getByText('U+202E').first()).toBeVisible();
  expect({ otherHosts, failures }).toEqual({ otherHosts: [], failures: [] });
  await expectNoViolations(page, 'a hostile form');
});
