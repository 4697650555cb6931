import { createTranslator } from 'next-intl';
import { afterEach, expect, test } from 'vitest';
import { inLanguage, setTranslate } from '@/components/forms/call-api';
import { faultNameOf, problemNameOf, translateWith, waitOf } from '@/components/forms/problem-names';
import { texts } from '@/lib/texts/de';

const t = createTranslator({ locale: 'de', messages: texts, namespace: 'shell.problems' });

afterEach(() => setTranslate(null));

test('a refused call is described in the language of the page, with the time to wait', () => {
  setTranslate(translateWith((name, wait) => t(name, { ...wait })));
  const say = (path: string, code: string, retryAfter: string | null = null) =>
    inLanguage(path, { title: 'In English.', code }, retryAfter).title;
  expect(say('/api/auth/local', 'unauthenticated')).toBe('E-Mail-Adresse oder Passwort falsch.');
  expect(say('/api/auth/profile', 'unauthenticated')).toMatch(/^Sie sind abgemeldet/);
  expect(say('/api/chat', 'rate_limited', '1')).toBe('Zu viele Versuche. Versuchen Sie es in 1 Sekunde erneut.');
  expect(say('/api/chat', 'rate_limited', '119')).toBe('Zu viele Versuche. Versuchen Sie es in 2 Minuten erneut.');
  expect(say('/api/chat', 'rate_limited')).toMatch(/später erneut\.$/);
  expect(say('/api/chat', 'agent_offline')).toMatch(/^Der Agent ist offline/);
  // The API describes the reason, for which pages have no text.
  expect(say('/api/reviews', 'conflict')).toBe('In English.');
});

test('English pages display the sentences of the API', () => {
  expect(inLanguage('/api/auth/local', { title: 'Wrong.', code: 'unauthenticated' }, null).title).toBe('Wrong.');
});

test('faults of members are named by the form', () => {
  expect(faultNameOf('/api/auth/password', '/current')).toBe('wrongPassword');
  expect(faultNameOf('/api/auth/sign-up', '/password')).toBe('weakPassword');
  expect(faultNameOf('/api/auth/sign-up', '/email')).toBe('invalidEmail');
  expect(faultNameOf('/api/agents', '/url')).toBeNull();
  expect(problemNameOf('/api/auth/link/finish', 'not_found')).toBe('linkOver');
});

test('a wait is in seconds below 90, then in minutes', () => {
  expect([null, '', 'soon', '0', '89', '90', '121'].map(waitOf)).toEqual([
    ...Array(4).fill({ unit: 'none', count: 0 }),
    { unit: 'seconds', count: 89 },
    { unit: 'minutes', count: 2 },
    { unit: 'minutes', count: 3 },
  ]);
});
