import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceChanges, type ChangeKind, recordChange, sendMail } from '@/lib/identity';
import { inTransaction } from '@/lib/platform/db/tx';
import { env } from '@/lib/platform/runtime/env';
import mail from '@/lib/texts/en/mail.json' with { type: 'json' };
import notifications from '@/lib/texts/en/notifications.json' with { type: 'json' };
import { type OfferedLocale, offeredLanguages } from '@/lib/texts/languages';
import { type MailName, type TextValue, translationFor } from '@/lib/texts/sent-texts';
import { flatten } from '../../scripts/messages/compare-languages.mjs';
import { createAccount, createPerson, newEmail, type Person, send, testPassword } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** The outbox of emails that this process sends. */
const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'));
let parley: SharedParley;

beforeAll(async () => {
  parley = await sharedParley();
  Object.assign(env(), { APP_URL: parley.url, DATA_DIR: dataDir });
});
afterAll(() => rmSync(dataDir, { recursive: true }));

interface ReadMail {
  subject: string;
  headers: string;
  lines: string[];
}

/** Reads an email as a mail client does: headers in ASCII with encoded words, and the body in the stated charset. */
function read(bytes: Buffer): ReadMail {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end);
  expect(headers).toMatch(/^[\r\n\x20-\x7e]*$/);
  const unfolded = headers.replaceAll(/\?=\r\n (?==\?)/g, '?=').replaceAll('\r\n ', ' ');
  const subject = /^Subject: (.*)$/m.exec(unfolded)?.[1]?.trimEnd() ?? '';
  const decoded = subject.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word) =>
    Buffer.from(String(word), 'base64').toString('utf8'),
  );
  return { subject: decoded, headers, lines: text.slice(end + 4).split('\r\n') };
}

function mailsIn(folder: string, email: string): ReadMail[] {
  const outbox = join(folder, 'outbox');
  const files = readdirSync(outbox).sort();
  return files
    .map((file) => readFileSync(join(outbox, file)))
    .filter((bytes) => bytes.includes(`To: ${email}\r\n`))
    .map(read);
}

/** The latest email to an address, once the number of emails to it is `count`. */
function latest(email: string, count = 1, folder = parley.dataDir): Promise<ReadMail> {
  const find = (): ReadMail | null => {
    const mails = mailsIn(folder, email);
    return mails.length >= count ? (mails.at(-1) ?? null) : null;
  };
  return waitFor(find, { what: `${count} emails to ${email}` });
}

/** Words of English sentences that no German or Spanish sentence contains. */
const english = /\b(the|you|your|was|were|this|with|and|of|is|it|at|email|settings|task|order)\b/i;

const link = 'https://parley.test/confirm?token=abc&next=%2Fchat';
const values: Record<string, TextValue> = {
  ...{ slug: 'pizzeria', name: 'pizzeria', id: 'ord_1', taskId: 'b7c1', scopes: 'pay', reason: 'scam', percent: 80 },
  ...{ link, url: link, probes: link, ranking: link, search: link, settings: link },
  ...{ at: { time: '2026-03-09T08:05:00.000Z' }, date: { day: '2026-03-09' }, time: '08:05', days: 7, hours: 72 },
  ...{ amount: { currency: 'EUR', minor: 1_250 }, used: { currency: 'EUR', minor: 1_000 }, payments: 3 },
  ...{ left: { currency: 'EUR', minor: 100 }, count: 2, stars: 4, isProof: 'true', isAutomatic: 'true' },
  ...{ isTest: 'true', result: 'paid', scope: 'agent', period: 'day', had: 'amount', has: 'none' },
  ...{ before: { hundredths: 5_000 }, after: { hundredths: 10_000 }, total: { currency: 'EUR', minor: 9_000 } },
  ...{ wanted: { currency: 'EUR', minor: 300 }, awarded: { currency: 'EUR', minor: 200 }, role: 'seller' },
  ...{ order: { currency: 'EUR', minor: 1_000 }, until: { day: '2026-12-31' }, conversation: 'pizza' },
};
const keys = [...flatten({ mail, notifications }).keys()] as Parameters<ReturnType<typeof translationFor>['t']>[0][];
const mailNames = keys.flatMap((key) => (/^mail\.(.*)\.body$/.exec(key)?.[1] ?? []) as MailName);
const locales = offeredLanguages.map(({ locale }) => locale) as OfferedLocale[];
const otherLocales = locales.filter((locale) => locale !== 'en');

describe.each(locales)('an email in %s', (locale) => {
  const texts = translationFor(locale);

  test.each(mailNames)('%s arrives as it was written, with whole links', async (name) => {
    const email = newEmail('ada');
    const mail = texts.mail(name, values);
    await sendMail({ ...mail, to: email, locale }, new Date());
    const { subject, headers, lines } = await latest(email, 1, dataDir);
    expect(subject).toBe(mail.subject);
    expect(lines).toEqual([...mail.lines, '']);
    expect(headers).toContain(`Content-Language: ${locale}`);
    const isAscii = /^[\r\n\x20-\x7e]*$/.test(lines.join(''));
    if (locale === 'en') expect(isAscii).toBe(true);
    expect(headers).toContain(`charset=${isAscii ? 'us-ascii' : 'utf-8'}\r\n`);
    expect(headers).toContain(`Content-Transfer-Encoding: ${isAscii ? '7bit' : '8bit'}`);
    for (const line of headers.split('\r\n')) expect(line.length).toBeLessThan(999);
    if (mail.lines.some((line) => line.includes('https:'))) expect(lines).toContain(link);
  });
});

test.each(otherLocales)('no text in %s contains an English sentence', (locale) => {
  const { t } = translationFor(locale);
  const left = keys.filter((key) => {
    const written = t(key, values).replaceAll(link, '');
    return english.test(written) || written === translationFor('en').t(key, values);
  });
  expect(left).toEqual([]);
});

describe('the language of an email', () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(`${parley.url}${path}`, {
      body,
      origin: parley.url,
      headers: { 'x-forwarded-for': '198.18.0.7', ...headers },
    });

  const page = (person: Person, path: string) =>
    fetch(`${parley.url}${path}`, { headers: { cookie: person.cookie, accept: 'text/html' }, redirect: 'manual' });

  const localeOf = async ({ userId }: Pick<Person, 'userId'>): Promise<string | null | undefined> =>
    (await query<{ locale: string | null }>('test-locale', 'SELECT locale FROM "user" WHERE id = $1', [userId]))[0]
      ?.locale;

  test('is that of the sign-up, and becomes that of the account', async () => {
    const email = newEmail('greta');
    const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
    const signUp = { email, name: 'Greta', password: testPassword };
    expect((await post('/api/auth/sign-up', signUp, german)).status).toBe(202);
    const { subject, headers, lines } = await latest(email);
    expect(subject).toBe('E-Mail-Adresse für Parley bestätigen');
    expect(headers).toContain('Content-Language: de');
    expect(lines.join('\n')).not.toContain('Greta');
    const confirm = new URL(lines.find((line) => line.startsWith('http')) ?? 'about:blank');
    expect((await fetch(confirm, { headers: german })).status).toBe(200);
    const token = confirm.searchParams.get('token');
    expect((await post('/api/auth/confirm', { token, password: testPassword }, german)).status).toBe(204);
    const [user] = await query<{ id: string }>('test-user', 'SELECT id FROM "user" WHERE email = $1', [email]);
    expect(await localeOf({ userId: user?.id ?? '' })).toBe('de');
    await post('/api/auth/sign-up', signUp, { cookie: 'parley-locale=es', ...german });
    expect((await latest(email, 2)).subject).toBe('Ya tienes una cuenta de Parley');
  });

  test.each([
    ['reset', 'Parley-Passwort zurücksetzen', /um ein neues Passwort/],
    ['link', 'Ihr Anmeldelink für Parley', /Schaltfläche/],
  ])('is that of the form: %s', async (form, subject, text) => {
    const { email } = await createAccount();
    expect((await post(`/api/auth/${form}`, { email }, { 'accept-language': 'de' })).status).toBe(202);
    const mail = await latest(email);
    expect(mail.subject).toBe(subject);
    expect(mail.lines.join(' ')).toMatch(text);
    const url = mail.lines.find((line) => line.startsWith('http')) ?? '';
    expect((await fetch(url)).status).toBe(200);
  });

  test('is stored at sign-in if none is known, and never replaced there', async () => {
    const person = await createPerson(parley.url);
    expect(await localeOf(person)).toBeNull();
    const signIn = (language: string) =>
      post('/api/auth/local', { email: person.email, password: testPassword }, { 'accept-language': language });
    await signIn('es-MX');
    expect(await localeOf(person)).toBe('es');
    await signIn('de');
    expect(await localeOf(person)).toBe('es');
  });

  test('is the one that a signed-in user selects, in the next email and in the export', async () => {
    const person = await createPerson(parley.url);
    expect((await page(person, '/settings/account')).status).toBe(200);
    expect(await localeOf(person)).toBeNull();
    await page(person, '/settings/account?lang=de');
    expect(await localeOf(person)).toBe('de');
    const change = { current: testPassword, password: 'an entirely new sentence' };
    const headers = { cookie: person.cookie, origin: parley.url };
    const changed = await send(`${parley.url}/api/auth/password`, { method: 'PUT', body: change, headers });
    expect(changed.status).toBe(204);
    const { subject, lines } = await latest(person.email);
    expect(subject).toBe('Ihr Parley-Passwort wurde geändert');
    const undo = lines.find((line) => line.startsWith('http')) ?? '';
    const undoPage = await (await fetch(undo, { headers: { 'accept-language': 'de' } })).text();
    expect(undoPage).toContain('Passwort');
    const exported = await send(`${parley.url}/api/account/export`, { body: {}, headers });
    expect(await exported.json()).toMatchObject({ profile: { locale: 'de' } });
    await page(person, '/?lang=es');
    expect(await localeOf(person)).toBe('es');
    await page(person, '/?lang=en-XA');
    expect(await localeOf(person)).toBe('es');
  });

  const facts = {
    'recovery.request': { at: { time: '2026-03-09T08:05:00.000Z' } },
    'token.create': { scopes: 'pay' },
    'payment.threshold': { had: 'none', before: { hundredths: 0 }, has: 'amount', after: { hundredths: 5_000 } },
    'spending.limit': {
      ...{ scope: 'agent', period: 'month', had: 'default', before: { currency: 'EUR', minor: 0 } },
      ...{ has: 'amount', after: { currency: 'EUR', minor: 2_000 } },
    },
    'spending.time-zone': { before: 'UTC', after: 'Europe/Berlin' },
    'standing.create': {
      ...{ wanted: { currency: 'EUR', minor: 300 }, awarded: { currency: 'EUR', minor: 200 }, role: 'seller' },
      ...{ order: { currency: 'EUR', minor: 1_000 }, total: { currency: 'EUR', minor: 9_000 } },
      until: { day: '2026-12-31' },
    },
  } satisfies Partial<Record<ChangeKind, Record<string, TextValue>>>;

  test.each(otherLocales)('is that of the user for every announced change: %s', async (locale) => {
    const { userId, email } = await createAccount();
    await query('test-set-locale', 'UPDATE "user" SET locale = $2 WHERE id = $1', [userId, locale]);
    const texts = translationFor(locale);
    const kinds = keys.flatMap((key) => (/^mail\.changes\.(.*)\.subject$/.exec(key)?.[1] ?? []) as ChangeKind);
    expect(kinds.length).toBe(13);
    for (const kind of kinds) {
      const of = kind as keyof typeof facts;
      const described = of in facts ? { of, values: facts[of] } : null;
      await inTransaction((tx) =>
        recordChange(tx, { now: new Date() }, { userId, kind, subject: kind, facts: described, before: {} }),
      );
    }
    await announceChanges(new Date());
    const sent = await waitFor(
      () => {
        const found = [dataDir, parley.dataDir].flatMap((folder) => mailsIn(folder, email));
        return found.length === kinds.length ? found : null;
      },
      { what: 'an email for each change' },
    );
    for (const kind of kinds) {
      const summary = texts.t(`mail.changes.${kind}.summary`);
      const mail = sent.find(({ lines }) => lines[0] === summary);
      expect(mail?.subject).toBe(texts.t(`mail.changes.${kind}.subject`));
      const words = mail?.lines.filter((line) => !line.startsWith('http')).join('\n') ?? 'the';
      expect(words).not.toMatch(english);
      expect((await fetch(mail?.lines.find((line) => line.startsWith('http')) ?? '')).status).toBe(200);
    }
  });
});

describe('the headers of an email', () => {
  test('cannot be added to by any value', async () => {
    const email = newEmail('ada');
    const evil = 'x\r\nBcc: eve@example.test\r\n\r\nÜ \u2028Subject: y\0';
    const mail = {
      to: email,
      locale: 'de' as const,
      subject: evil,
      lines: [evil, evil],
      unsubscribe: 'https://x/\r\nBcc: eve@example.test',
    };
    await sendMail(mail, new Date());
    const { subject, headers, lines } = await latest(email, 1, dataDir);
    expect(subject).toBe('x Bcc: eve@example.test Ü  Subject: y ');
    expect(headers.split('\r\n').filter((line) => /^(Bcc|Subject)/.test(line))).toHaveLength(1);
    expect(headers).not.toMatch(/\r\n\r\n|[^\r]\n|\r[^\n]/);
    expect(lines).toHaveLength(3);
  });

  test('have encoded words of at most 76 bytes per line, and long lines are broken at spaces', async () => {
    const email = newEmail('ada');
    const subject = 'Größe ß 😀 '.repeat(20).trim();
    const long = 'Wörter über Wörter '.repeat(120).trim();
    await sendMail({ to: email, locale: 'de', subject, lines: [long] }, new Date());
    const mail = await latest(email, 1, dataDir);
    expect(mail.subject).toBe(subject);
    const folded = /^Subject: [^\r]*(\r\n [^\r]*)*/m.exec(mail.headers)?.[0].split('\r\n') ?? [];
    for (const line of folded) expect(line.length).toBeLessThanOrEqual(76);
    expect(mail.lines.length).toBeGreaterThan(2);
    for (const line of mail.lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
    expect(mail.lines.join(' ').trim()).toBe(long);
  });
});
