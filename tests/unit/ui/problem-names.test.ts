import { createTranslator } from 'next-intl';
import { afterEach, describe, expect, test } from 'vitest';
import { inLanguage, setTranslate } from '@/components/forms/call-api';
import {
  faultOf,
  problemNameOf,
  translateWith,
  translationTo,
  usedProblemNames,
  waitOf,
} from '@/components/forms/problem-names';
import { problemGuides } from '@/lib/http/errors/problem-guide';
import { texts as german } from '@/lib/texts/de';
import { texts as english } from '@/lib/texts/en';
import { texts as spanish } from '@/lib/texts/es';

afterEach(() => setTranslate(null));

const say = (path: string, code: string, retryAfter: string | null = null) =>
  inLanguage(path, { title: 'In English.', code }, retryAfter).title;

test('a refused call is described in the language of the page, with the time to wait', async () => {
  setTranslate(await translationTo('de-AT'));
  expect(say('/api/auth/local', 'unauthenticated')).toBe('E-Mail-Adresse oder Passwort falsch.');
  expect(say('/api/auth/profile', 'unauthenticated')).toMatch(/^Sie sind abgemeldet/);
  expect(say('/api/chat', 'rate_limited', '1')).toBe('Zu viele Versuche. Versuchen Sie es in 1 Sekunde erneut.');
  expect(say('/api/chat', 'rate_limited', '119')).toBe('Zu viele Versuche. Versuchen Sie es in 2 Minuten erneut.');
  expect(say('/api/chat', 'rate_limited')).toMatch(/später erneut\.$/);
  expect(say('/api/chat', 'agent_offline')).toMatch(/^Der Agent ist offline/);
  expect(say('/api/agents/crusty/transfer', 'conflict')).toMatch(/^Dieser Agent hat Verkäufe/);
});

test('the API’s sentence is quoted if only that sentence contains the reason', async () => {
  setTranslate(await translationTo('de'));
  expect(say('/api/web-push/devices', 'conflict')).toBe(
    'Das ist gerade nicht möglich. Einzelheiten (auf Englisch): „In English.“',
  );
  setTranslate(await translationTo('es'));
  expect(say('/api/agents', 'card_unreachable')).toBe(
    'No se ha podido leer la tarjeta. Detalles (en inglés): «In English.»',
  );
});

test('English pages show the API’s sentences', () => {
  expect(inLanguage('/api/auth/local', { title: 'Wrong.', code: 'unauthenticated' }, null).title).toBe('Wrong.');
});

describe('every problem that a page can show', () => {
  const codes = Object.keys(problemGuides);
  const values = { unit: 'minutes', count: 2, detail: '<In "English" {here}>' } as const;

  test.each(codes)('%s has a name', (code) => {
    expect(Object.keys(english.problems)).toContain(problemNameOf('/api/any', code));
    // The name for the codes of later versions.
    if (code !== 'invalid_request' && !/^(unsupported_media_type|parse_error|invalid_params)$/.test(code))
      expect(problemNameOf('/api/any', code)).not.toBe('invalid');
  });

  test.each([
    ['en', english],
    ['de', german],
    ['es', spanish],
  ])('has a text in %s', (locale, { problems }) => {
    const t = createTranslator({
      locale,
      messages: { problems },
      namespace: 'problems',
      onError: (error) => expect.fail(error.message),
    });
    for (const name of usedProblemNames()) expect(t(name, values), name).toMatch(/\S[.”“»]$/);
  });

  test('has another text in each language', () => {
    for (const name of usedProblemNames()) {
      const all = [english, german, spanish].map(({ problems }) => problems[name]);
      expect(new Set(all).size, name).toBe(3);
    }
  });

  test('has no unused text', () => {
    const byMember = ['tooLong', 'tooShort', 'invalidValue', 'invalidEmail'];
    expect(Object.keys(english.problems).sort()).toEqual([...new Set([...usedProblemNames(), ...byMember])].sort());
  });
});

test('an invalid member’s problem is specific to the form, or says what is expected', () => {
  const nameOf = (path: string, pointer: string, message = '') => faultOf(path, pointer, message)[0];
  expect(nameOf('/api/auth/password', '/current')).toBe('wrongPassword');
  expect(nameOf('/api/auth/sign-up', '/password')).toBe('weakPassword');
  expect(nameOf('/api/auth/sign-up', '/email')).toBe('invalidEmail');
  expect(nameOf('/api/agents', '/url')).toBe('invalidValue');
  expect(problemNameOf('/api/auth/link/finish', 'not_found')).toBe('linkOver');
  expect(problemNameOf('/api/auth/device/check?code=A', 'not_found')).toBe('deviceCodeUnknown');
  expect(problemNameOf('/api/any', 'of_a_later_version')).toBe('invalid');
});

test('a problem with a text’s length states the number of characters', () => {
  const translate = translateWith((name, { count, detail }) => `${name} ${count} ${detail}`);
  const faults = [
    { pointer: '/title', message: 'Too big: expected string to have <=80 characters' },
    { pointer: '/link', message: 'expected an https URL' },
  ];
  expect(translate('/api/x', { title: '', code: 'invalid_request', faults }, null).faults).toEqual([
    { pointer: '/title', message: `tooLong 80 ${faults[0]?.message}` },
    { pointer: '/link', message: 'invalidValue 0 expected an https URL' },
  ]);
});

test('a waiting time is in seconds below 90 s, and otherwise in minutes', () => {
  expect([null, '', 'soon', '0', '89', '90', '121'].map(waitOf)).toEqual([
    ...Array(4).fill({ unit: 'none', count: 0 }),
    { unit: 'seconds', count: 89 },
    { unit: 'minutes', count: 2 },
    { unit: 'minutes', count: 3 },
  ]);
});
