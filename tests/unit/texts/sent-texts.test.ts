import { describe, expect, test } from 'vitest';
import { mailLocaleOf } from '@/lib/texts/languages';
import { translationFor } from '@/lib/texts/sent-texts';
import { findUnsentTexts } from '../../../scripts/verify-messages.mjs';

const money = { currency: 'EUR', minor: 123_456 };

describe('the texts of emails', () => {
  test.each([
    ['en', '1234.56 EUR'],
    ['de', '1.234,56 €'],
    ['es', '1234,56 €'],
  ])('have amounts in %s', (locale, written) => {
    const subject = translationFor(locale).t('mail.order.refunded.subject', { amount: money });
    expect(subject.replaceAll('\u00a0', ' ')).toContain(written);
  });

  test.each([
    ['en', 'Time: 2026-03-09 08:05 UTC'],
    ['de', 'Zeit: 9. März 2026 um 08:05 UTC'],
    ['es', 'Fecha y hora: 9 de marzo de 2026 a las 08:05 UTC'],
  ])('have times in %s', (locale, written) => {
    const at = { time: '2026-03-09T08:05:00.000Z' };
    // The words between date and time depend on the version of Unicode's data.
    const parts = written.split(/ um | a las /);
    for (const part of parts) expect(translationFor(locale).t('mail.change.time', { at })).toContain(part);
  });

  test.each([
    ['en', '1 star', '3 stars'],
    ['de', '1 Stern', '3 Sterne'],
    ['es', '1 estrella', '3 estrellas'],
  ])('have plurals in %s', (locale, one, more) => {
    const subject = (stars: number) => translationFor(locale).mail('review', { slug: 'a', stars, link: 'x' }).subject;
    expect(subject(1)).toMatch(new RegExp(`: ${one}$`));
    expect(subject(3)).toMatch(new RegExp(`: ${more}$`));
  });

  test('have no line breaks in values, and are English for an unknown language', () => {
    const { t } = translationFor('xx');
    expect(t('mail.change.time', { at: 'now\r\nBcc: eve@example.test\u2028' })).toBe(
      'Time: now Bcc: eve@example.test ',
    );
  });

  test('cannot be written if a value is missing', () => {
    expect(() => translationFor('de').t('mail.change.time')).toThrow(/at/);
  });
});

test('an email is in the language of the cookie, then of Accept-Language, and in none if neither is offered', () => {
  expect(mailLocaleOf('es', 'de')).toBe('es');
  expect(mailLocaleOf(undefined, 'fr, de-AT;q=0.9')).toBe('de');
  expect(mailLocaleOf('en-XA', 'de')).toBeNull();
  expect(mailLocaleOf(undefined, '*')).toBeNull();
});

test('a text that no code uses is a fault', () => {
  const texts = {
    mail: {
      reply: { subject: 'a', body: 'b', more: 'c' },
      kinds: { one: { subject: 'd', body: 'e' }, two: 'f' },
      rest: 'g',
    },
    notifications: { cart: 'h' },
  };
  const sources = ["mail('reply', {})", ['mail(`kinds.$', '{kind}`)'].join(''), "t('mail.reply.more')"];
  expect(findUnsentTexts(texts, sources)).toEqual(['mail.kinds.two', 'mail.rest', 'notifications.cart']);
});
