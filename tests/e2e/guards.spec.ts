import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { expectNoViolations } from './expect-no-violations';
import { type Account, mailsTo, newAccount, signInAgain, signInAs } from './people';

// The refusal of a change, which contains the challenge to sign.
test.use({ expectedErrors: [/403 \(Forbidden\).*\/api\/auth\//] });

/** A virtual authenticator with user verification; returns a function that turns its consent on and off. */
async function addAuthenticator(
  session: CDPSession,
  transport: 'internal' | 'usb',
): Promise<(enabled: boolean) => Promise<unknown>> {
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport, hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return (enabled) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/settings/payments');
  await page.getByLabel('Passkey name').fill(name);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('button', { name: `Rename the passkey ${name}` })).toBeVisible();
}

/** The link in the latest email with this subject. */
async function linkIn({ email }: Account, subject: string): Promise<string> {
  const find = (): string => mailsTo(email).findLast((mail) => mail.includes(`Subject: ${subject}`)) ?? '';
  await expect.poll(find).toContain('/undo?token=');
  return /^http:\S+$/m.exec(find())?.[0] ?? '';
}

test('adding or removing a passkey requires a passkey, and the link in the email undoes a removal', async ({
  page,
}) => {
  const gwen = await newAccount('Gwen');
  await signInAs(page, gwen);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const consent = await addAuthenticator(session, 'internal');
  await addPasskey(page, 'Laptop');

  await addAuthenticator(session, 'usb');
  // The new authenticator creates the passkey. The first one confirms the request.
  await consent(false);
  await page.route('**/api/auth/passkeys', async (route) => {
    await consent(true);
    await route.continue();
  });
  await addPasskey(page, 'Key ring');

  await page.getByRole('button', { name: 'Remove the passkey Key ring' }).click();
  await page.getByRole('button', { name: 'Remove passkey', exact: true }).click();
  await expect(page.getByText('Passkey Key ring removed.').first()).toBeVisible();

  const link = await linkIn(gwen, 'A passkey was removed from your Parley account');
  await page.goto(link);
  await expect(page.getByText('A passkey was removed from your account.')).toBeVisible();
  await expectNoViolations(page, 'the page that undoes a change');
  await page.goto('/settings/payments');
  await expect(page.getByRole('button', { name: 'Rename the passkey Key ring' })).toBeHidden();
  await page.goto(link);
  await expect(page.getByText('A passkey was removed from your account.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo this change' }).click();
  await expect(page.getByRole('heading', { name: 'Change undone' })).toBeVisible();
  await page.goto('/settings/payments');
  await expect(page.getByRole('button', { name: 'Rename the passkey Key ring' })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This link is no longer valid')).toBeVisible();
});

test('a recovery is announced on every page in every session until a passkey cancels it', async ({ page, browser }) => {
  const rita = await newAccount('Rita');
  await signInAs(page, rita);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await addAuthenticator(session, 'internal');
  await addPasskey(page, 'Laptop');
  await page.getByRole('button', { name: 'Remove lost passkeys' }).click();
  await expect(page.getByText('If you didn’t request this')).toBeVisible();
  await expectNoViolations(page, 'payments while a recovery is pending');

  const elsewhere = await (await browser.newContext()).newPage();
  await signInAs(elsewhere, { cookie: await signInAgain(rita) });
  for (const path of ['/', '/agents', '/chat', '/console', '/docs', '/settings/account']) {
    await elsewhere.goto(path);
    await expect(elsewhere.getByRole('complementary', { name: 'Recovery requested' })).toBeVisible();
  }
  await elsewhere.context().close();
  expect(await linkIn(rita, 'A recovery of your Parley account was requested')).toContain('/undo?token=');

  await page.getByRole('link', { name: 'If this wasn’t you, cancel it' }).click();
  await page.getByRole('button', { name: 'Cancel with a passkey' }).click();
  await expect(page.getByText('Recovery canceled.').first()).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Recovery requested' })).toBeHidden();
});
