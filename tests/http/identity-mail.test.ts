import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MailServer } from '../fakes/mail-server';
import { send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

const password = 'correct horse battery';
let mailServer: MailServer;
let parley: Parley;

beforeAll(async () => {
  mailServer = await MailServer.start();
  const env = { SMTP_URL: mailServer.url, MAIL_FROM: 'Pärley <no-reply@parley.test>' };
  parley = await startParley({ env });
});
afterAll(async () => {
  await parley?.stop();
  await mailServer?.stop();
});

function signUp(email: string): Promise<Response> {
  const next = `/chat/new?${new URLSearchParams({ agent: 'pizzeria', text: 'A long message that is not sent yet. '.repeat(20) })}`;
  return send(`${parley.url}/api/auth/sign-up`, { body: { email, name: 'Ada', password, next } });
}

test('the mail server receives the whole email, and a link of maximum length is valid', async () => {
  expect((await signUp('ada@example.test')).status).toBe(202);
  expect(mailServer.mails).toHaveLength(1);
  const [{ to, text } = { to: '', text: '' }] = mailServer.mails;
  expect(to).toBe('ada@example.test');
  expect(text).toMatch(
    /^From: =\?UTF-8\?B\?UMOkcmxleQ==\?= <no-reply@parley\.test>\r\nTo: ada@example\.test\r\nSubject: /,
  );
  const link = new URL(/^http:\S+$/m.exec(text)?.[0] ?? 'about:blank');
  expect(link.searchParams.get('next')).toContain('not+sent+yet.+A+long');
  const confirmed = await send(`${parley.url}/api/auth/confirm`, {
    body: { token: link.searchParams.get('token'), password },
  });
  expect(confirmed.status).toBe(204);
  expect(existsSync(join(parley.dataDir, 'outbox'))).toBe(false);
});

test('the mail server receives German text in 8 bits, with an encoded subject', async () => {
  const body = { email: 'greta@example.test', name: 'Greta', password };
  const response = await send(`${parley.url}/api/auth/sign-up`, { body, headers: { 'accept-language': 'de' } });
  expect(response.status).toBe(202);
  const { text } = mailServer.mails.find(({ to }) => to === body.email) ?? { text: '' };
  const subject = Buffer.from('E-Mail-Adresse für Parley bestätigen').toString('base64');
  expect(text).toContain(`\r\nSubject: =?UTF-8?B?${subject}?=\r\n`);
  expect(text).toContain('Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n');
  expect(text).toContain('Öffnen Sie zum Bestätigen diesen Link');
  expect(mailServer.commands.findLast((line) => line.startsWith('MAIL FROM'))).toContain('BODY=8BITMIME');
});

test('the user is asked to retry if the mail server rejects an email, and no secret is logged (LOG-1)', async () => {
  await send(`${parley.url}/api/auth/local`, { body: { email: 'ada@example.test', password } });
  for (const email of ['ada@example.test', 'grace@example.test']) {
    mailServer.refused.add(email);
    const response = await signUp(email);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      code: 'unavailable',
      title: expect.stringContaining('could not be sent'),
    });
    expect(parley.output()).not.toContain(email);
  }
  expect(parley.output()).toContain('"event":"mail.failed"');
  expect(parley.output()).toContain('"responseCode":550');
});
