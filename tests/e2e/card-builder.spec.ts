import { expect, test } from '../support/page';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;
test.beforeAll(async () => {
  owner = await newAccount('Berta');
});
test.beforeEach(async ({ page }) => {
  await signInAs(page, owner);
  await page.goto('/console/agents/build');
  await expect(page.locator('.cm-editor')).toBeVisible();
});

test('a card can be edited as a form and as text: each shows the other’s changes, and a reload keeps both', async ({
  page,
}) => {
  const form = page.getByRole('form', { name: 'Card details' });
  const editor = page.getByRole('textbox', { name: 'Card JSON' });
  await form.getByLabel('Name').first().fill('Scales');
  await form.getByLabel('Endpoint URL').fill('https://scales.example/a2a');
  const text = (await page.locator('.cm-line').allTextContents()).join('\n');
  expect(JSON.parse(text)).toMatchObject({ name: 'Scales' });
  await editor.fill(
    text.replace('"version": "1.0.0",', '"version": "2.0.0",\n  "iconUrl": "https://scales.example/i.png",'),
  );
  await expect(form.getByLabel('Version')).toHaveValue('2.0.0');
  await form.getByLabel('Description').first().fill('Weighs things');
  await expect(editor).toContainText('"iconUrl": "https://scales.example/i.png"');
  await expect(editor).toContainText('"description": "Weighs things"');
  await page.reload();
  await expect(form.getByLabel('Version')).toHaveValue('2.0.0');
  await expect(form.getByLabel('Name').first()).toHaveValue('Scales');
  await expect(editor).toContainText('"iconUrl"');
});

test('text that the form cannot show disables the form and is kept', async ({ page }) => {
  const form = page.getByRole('form', { name: 'Card details' });
  const editor = page.getByRole('textbox', { name: 'Card JSON' });
  await form.getByLabel('Name').first().fill('Scales');
  await editor.fill('{"name": "Half');
  await expect(form.getByText('This JSON can’t be shown in the form')).toBeVisible();
  await expect(form.getByLabel('Name').first()).toBeDisabled();
  await form.getByRole('button', { name: 'Rebuild from form' }).click();
  await expect(editor).toContainText('"name": "Scales"');
  await form.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toHaveText('{"name": "Half');
  await editor.fill('{"name": "Whole"}');
  await expect(form.getByLabel('Name').first()).toHaveValue('Whole');
  await form.getByRole('button', { name: 'Start over' }).click();
  await expect(form.getByLabel('Name').first()).toHaveValue('');
  await form.getByRole('button', { name: 'Undo' }).click();
  await expect(form.getByLabel('Name').first()).toHaveValue('Whole');
});
