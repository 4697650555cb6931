import { expect, test } from '../../support/page';
import { announcementsOn, listen } from '../live-regions';
import { type Account, fillSignIn, newAccount, password, signInAs } from '../people';

let person: Account;

test.beforeAll(async () => {
  person = await newAccount('Trudy');
});

test('an example runs on the agent’s own page, and the reply appears below it', async ({ page }) => {
  await signInAs(page, person);
  await page.goto('/agents/analyst');
  await listen(page);
  await page.getByRole('link', { name: 'Profile the sample table' }).click();
  const answer = page.getByRole('region', { name: 'Answer from CSV Analyst' });
  await expect(answer.getByRole('article')).toContainText('sample.csv');
  await expect(page).toHaveURL('/agents/analyst');
  // A reply this fast may be complete before the page gets its first event.
  await expect
    .poll(async () => (await announcementsOn(page)).at(-1))
    .toMatch(/^(Answer complete\.|CSV Analyst has a question)/);
});

test.describe('a message whose response was lost', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('is sent with the same id if it is resent, and appears once', async ({ page }) => {
    await signInAs(page, await newAccount('Tess'));
    await page.goto('/agents/analyst');
    const sent: string[] = [];
    await page.route('**/api/chat/messages', async (route) => {
      sent.push(route.request().postDataJSON().messageId);
      const answer = await route.fetch();
      if (sent.length === 1) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await page.getByRole('textbox', { name: 'Your message to CSV Analyst' }).fill('What can you do?');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await expect.poll(() => sent.length).toBe(1);
    await expect(page.getByText('Not sent')).toBeVisible();
    await send.click();
    await expect(page.getByRole('region', { name: 'Answer from CSV Analyst' }).getByRole('article')).toBeVisible();
    expect(new Set(sent).size).toBe(1);
    await page.goto('/chat');
    await expect(page.getByRole('link', { name: /What can you do/ })).toHaveCount(1);
  });
});

test('a draft for an agent that requires an account survives the sign-in and is sent once', async ({ page }) => {
  await page.goto('/agents/researcher');
  const field = page.getByRole('textbox', { name: 'Your message to Researcher' });
  await field.fill('What can you do?');
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/chat/messages')) posts.push(request.url());
  });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await fillSignIn(page, { email: person.email, password });
  await expect(page).toHaveURL(/\/agents\/researcher/);
  await expect(page.getByRole('region', { name: 'Answer from Researcher' }).getByRole('article')).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('');
  expect(posts).toHaveLength(1);
});
