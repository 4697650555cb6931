import { beforeAll, expect, test } from 'vitest';
import type { HttpResponse } from '@/lib/http/handler';
import { ensureLocalUser } from '@/lib/identity';
import { nextAuth } from '@/lib/identity/endpoints/next-auth/next-auth';
import { postLocal, postSignOut } from '@/lib/identity/endpoints/sign-in-forms';
import { fileDatabase } from '../support/database';

const origin = 'https://parley.example';
const person = { email: 'ada@example.test', password: 'correct horse battery' };
const context = { params: {}, address: '203.0.113.1' };

beforeAll(async () => {
  await fileDatabase();
  process.env.APP_URL = origin;
  await ensureLocalUser({ ...person, name: 'Ada', now: new Date() });
});

function request(path: string, headers: Record<string, string> = {}, body: object = {}): Request {
  return new Request(`http://10.0.0.1:3000${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'parley.example', ...headers },
    body: JSON.stringify(body),
  });
}

function cookieOf({ headers }: HttpResponse): string {
  return String(headers['set-cookie'] ?? '');
}

function attributesOf(response: HttpResponse): string[] {
  const [, ...attributes] = cookieOf(response).split('; ');
  return attributes.filter((attribute) => !attribute.startsWith('Expires=')).sort();
}

test('SES-1: the HTTPS cookie is __Host- and Secure, both when it is set and when it is cleared', async () => {
  const signedIn = await postLocal(request('/api/auth/local', {}, person), context);
  expect(cookieOf(signedIn)).toMatch(/^__Host-parley=[\w-]{43};/);
  expect(attributesOf(signedIn)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  const cookie = cookieOf(signedIn).split(';', 1)[0] ?? '';
  const signedOut = await postSignOut(request('/api/auth/sign-out', { cookie, origin }), context);
  expect(cookieOf(signedOut)).toMatch(/^__Host-parley=;/);
  expect(attributesOf(signedOut)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
});

test('SES-1: a cookie without the prefix, which a sibling host could set, is ignored', async () => {
  const signedIn = await postLocal(request('/api/auth/local', {}, person), context);
  const token = /=([\w-]{43})/.exec(cookieOf(signedIn))?.[1];
  const answer = await nextAuth(
    new Request('http://10.0.0.1:3000/api/auth/session', {
      headers: { cookie: `parley=${token}; x__Host-parley=${token}` },
    }),
    context,
  );
  expect(answer.body).toBe('{}');
});

test.each([
  ['http://parley.example'],
  ['https://parley.example:8443'],
  ['https://sub.parley.example'],
  ['https://parley.example.evil.example'],
  ['null'],
])('CSRF-1: %s is not accepted as our origin', async (external) => {
  const signedIn = await postLocal(request('/api/auth/local', {}, person), context);
  const cookie = cookieOf(signedIn).split(';', 1)[0] ?? '';
  const refused = await postSignOut(request('/api/auth/sign-out', { cookie, origin: external }), context);
  expect(refused.status).toBe(403);
});
