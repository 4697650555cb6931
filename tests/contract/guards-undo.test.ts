import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChangeKind, type Guard, isProofChange } from '@/lib/identity';
import { db } from '@/lib/platform/db/db';
import { sha256 } from '@/lib/platform/secrets/crypto';
import { translationFor } from '@/lib/texts/sent-texts';
import { send, testPassword } from '../support/fixtures';
import { sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import {
  type Call,
  cases,
  enrollment,
  type Guarded,
  mailedTo,
  mailsTo,
  make,
  makeWithPasskey,
  newGuarded,
  undo,
  undoTokenIn,
} from './guards-fixture';
import { ask, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';
import { postForm } from './tokens-fixture';

let fixture: PaymentsFixture;
let dataDir: string;

beforeAll(async () => {
  ({ dataDir } = await sharedParley());
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

/** The state that the changes of this file modify. */
async function stateOf({ person: { userId } }: Guarded): Promise<object> {
  const where = { userId };
  const tokens = await db().accessToken.findMany({ where: { userId, revokedAt: null }, select: { id: true } });
  return {
    passkeys: await db().passkey.findMany({ where, omit: { counter: true, lastUsedAt: true } }),
    password: (await db().user.findUniqueOrThrow({ where: { id: userId } })).passwordHash,
    setting: {
      ...{ passkeyAbove: null, timeZone: null, stoppedAt: null },
      ...(await db().paymentSetting.findUnique({
        where,
        omit: { userId: true, automaticEmails: true, alertsSeenAt: true },
      })),
    },
    limits: await db().spendingLimit.findMany({ where, omit: { updatedAt: true } }),
    tokens: tokens.map(({ id }) => id).sort(),
    standing: await db().standingApproval.findMany({ where: { userId, signedAt: { not: null }, revokedAt: null } }),
  };
}

async function isSignedIn({ client }: Guarded): Promise<boolean> {
  return (await ask(client, '/api/auth/sessions')).status === 200;
}

const kinds: [ChangeKind, Guard][] = [
  ['passkey.add', 'passkey.add'],
  ['passkey.remove', 'passkey.remove'],
  ['password.change', 'password.change'],
  ['token.create', 'token.create'],
  ['payment.threshold', 'payment.threshold'],
  ['spending.limit', 'spending.limit'],
  ['spending.time-zone', 'spending.time-zone'],
  ['standing.create', 'standing.create'],
  ['standing.resume', 'standing.resume'],
  ['standing.allow', 'standing.allow'],
];

/** Makes a change, when the emails about earlier ones are sent. Returns the state before and the number of these. */
async function change(guarded: Guarded, guard: Guard): Promise<{ before: object; known: number }> {
  const { userId, email } = guarded.person;
  const { call, challenge } = await cases[guard](guarded, fixture);
  const unsent = (): Promise<number> => db().guardedChange.count({ where: { userId, emailedAt: null } });
  await waitFor(async () => (await unsent()) === 0 || null, { what: 'the emails about earlier changes' });
  const known = mailsTo(dataDir, email).length;
  const before = await stateOf(guarded);
  if (challenge) await make(guarded, call, guarded.key.assert({ challenge: await challenge() }, { counter: 0 }));
  else await makeWithPasskey(guarded, call);
  expect(await stateOf(guarded)).not.toEqual(before);
  return { before, known };
}

const limitOf = (amount: number | null): Call => ({
  method: 'PUT',
  path: '/api/spending/limits',
  body: { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount },
});

describe('the email about a change', () => {
  test.each(kinds)('for %s has a link that restores exactly the previous state, once', async (kind, guard) => {
    const guarded = await newGuarded(fixture);
    const { before, known } = await change(guarded, guard);
    const subject = translationFor('en').t(`mail.changes.${kind}.subject`);
    const mail = await mailedTo(dataDir, { ...guarded, known }, new RegExp(`Subject: ${subject}`));
    const token = undoTokenIn(mail);
    const stored = await db().guardedChange.findUniqueOrThrow({ where: { undoHash: sha256(token) } });
    expect(Object.values(stored)).not.toContain(token);
    const answers = await Promise.all([undo(guarded, token), undo(guarded, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await stateOf(guarded)).toEqual(before);
    // A change of a sign-in method signs the session out. A payment setting does not affect it.
    expect(await isSignedIn(guarded)).toBe(!isProofChange(kind));
  });

  test('is sent if a device receives tokens that can pay, and its link revokes them', async () => {
    const guarded = await newGuarded(fixture);
    const cli = { client_id: 'parley-cli' };
    const started = await postForm(`${fixture.url}/api/auth/device`, { ...cli, scope: 'pay' });
    const codes = (await started.json()) as { user_code: string; device_code: string };
    const body = { userCode: codes.user_code, allow: true };
    await makeWithPasskey(guarded, { method: 'POST', path: '/api/auth/device/decide', body });
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: codes.device_code };
    const tokens = await postForm(`${fixture.url}/api/auth/token`, { ...cli, ...grant });
    const { access_token: bearer } = (await tokens.json()) as { access_token: string };
    const read = async (): Promise<number> => (await send(`${fixture.url}/api/wallet`, { bearer })).status;
    expect(await read()).toBe(200);
    // The first is about the token that the fixture created.
    const mail = await mailedTo(dataDir, guarded, /Its scopes are: pay\./);
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(204);
    expect(await read()).toBe(401);
  });

  test('has no undo link after a guard is tightened, because a link must never loosen a guard', async () => {
    const guarded = await newGuarded(fixture);
    await make(guarded, limitOf(2_000));
    const settings = { method: 'PUT', path: '/api/payments/settings', body: { passkeyAbove: 1_000 } };
    await make(guarded, settings);
    const limit = await mailedTo(dataDir, guarded, /was default, and is now 20\.00 EUR\./);
    const threshold = await mailedTo(dataDir, guarded, /needed a passkey never, and now above 10\.00\./);
    for (const mail of [limit, threshold])
      expect([undoTokenIn(mail), mail]).toEqual(['', expect.stringMatching(/\/settings/)]);
  });

  test('has no undo link while the user’s email address is unverified', async () => {
    const guarded = await newGuarded(fixture);
    await db().user.update({ where: { id: guarded.person.userId }, data: { emailVerified: null } });
    await change(guarded, 'spending.time-zone');
    expect(undoTokenIn(await mailedTo(dataDir, guarded, /The time zone was UTC, and is now Asia\/Tokyo\./))).toBe('');
  });
});

describe('undoing a change', () => {
  test('keeps settings that have become stricter', async () => {
    const guarded = await newGuarded(fixture);
    await make(guarded, limitOf(2_000));
    await makeWithPasskey(guarded, limitOf(5_000));
    const mail = await mailedTo(dataDir, guarded, /was 20\.00 EUR, and is now 50\.00 EUR\./);
    await make(guarded, limitOf(1_000));
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(204);
    expect(await stateOf(guarded)).toMatchObject({ limits: [{ amount: 1_000n }] });
  });

  test('also undoes later changes to the same setting, whose links stop working', async () => {
    const guarded = await newGuarded(fixture);
    const before = await stateOf(guarded);
    const own = guarded.key;
    await makeWithPasskey(guarded, await enrollment(guarded));
    await makeWithPasskey(guarded, { method: 'DELETE', path: `/api/auth/passkeys/${own.id}`, body: {} });
    const removed = await mailedTo(dataDir, guarded, /passkey was removed/);
    // The first was about the passkey of the fixture.
    const added = mailsTo(dataDir, guarded.person.email).filter((mail) => /passkey was added/.test(mail))[1] ?? '';
    expect((await undo(guarded, undoTokenIn(added))).status).toBe(204);
    expect(await stateOf(guarded)).toEqual(before);
    expect((await undo(guarded, undoTokenIn(removed))).status).toBe(404);
  });

  test('is not possible after 7 days', async () => {
    const guarded = await newGuarded(fixture);
    await change(guarded, 'payment.threshold');
    const token = undoTokenIn(await mailedTo(dataDir, guarded, /needed a passkey above 10\.00, and now never\./));
    const createdAt = new Date(Date.now() - 7 * 86_400_000 - 1_000);
    await db().guardedChange.update({ where: { undoHash: sha256(token) }, data: { createdAt } });
    for (const link of [token, 'another']) expect((await undo(guarded, link)).status).toBe(404);
  });
});

describe('a password reset in an account with a passkey', () => {
  test('succeeds without removing a guard, and can be undone from its email', async () => {
    const guarded = await newGuarded(fixture);
    const { email } = guarded.person;
    const before = await stateOf(guarded);
    await send(`${fixture.url}/api/auth/reset`, { body: { email } });
    const link = /\/reset\?token=([\w-]+)/.exec(await mailedTo(dataDir, guarded, /Reset your Parley password/))?.[1];
    const body = { token: link, password: 'an entirely new sentence' };
    const reset = await send(`${fixture.url}/api/auth/reset/finish`, { body });
    const cookie = reset.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    expect([reset.status, await isSignedIn(guarded)]).toEqual([204, false]);
    for (const path of ['/api/account/export', '/api/auth/access-tokens']) {
      const tried = { cookie, origin: fixture.url, body: { name: 'CI', scopes: ['pay'] } };
      const refused = await send(`${fixture.url}${path}`, tried);
      expect([path, ((await refused.json()) as { code: string }).code]).toEqual([path, 'passkey_required']);
    }
    const mail = await mailedTo(dataDir, guarded, /was reset with a link/);
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(204);
    expect(await stateOf(guarded)).toEqual(before);
    expect((await send(`${fixture.url}/api/auth/sessions`, { cookie })).status).toBe(401);
    expect((await send(`${fixture.url}/api/auth/local`, { body: { email, password: testPassword } })).status).toBe(204);
  });
});
