import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, send, testPassword } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

describe('two servers that share one database', () => {
  let first: Parley;
  let second: Parley;

  beforeAll(async () => {
    first = await startParley();
    second = await startParley({ databaseUrl: first.databaseUrl });
  });
  afterAll(async () => {
    await second?.stop();
    await first?.stop();
  });

  test.each([
    ['ended by id', 'DELETE', '/api/auth/sessions/:id'],
    ['ended with all others', 'DELETE', '/api/auth/sessions'],
    ['signed out', 'POST', '/api/auth/sign-out'],
  ])('SES-1: reject a session within a second if it is %s on either server', async (_how, method, path) => {
    const { email } = await createPerson(first.url);
    const signIn = async (): Promise<string> => {
      const response = await send(`${first.url}/api/auth/local`, { body: { email, password: testPassword } });
      return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    };
    const doomed = await signIn();
    const other = await signIn();
    const onSecond = async (): Promise<number> =>
      (await send(`${second.url}/api/auth/sessions`, { cookie: doomed })).status;
    // Twice, so that the second server responds from its cache.
    expect([await onSecond(), await onSecond()]).toEqual([200, 200]);
    const mine = (await (await send(`${first.url}/api/auth/sessions`, { cookie: doomed })).json()) as {
      items: { id: string; current: boolean }[];
    };
    const id = mine.items.find(({ current }) => current)?.id ?? '';
    const cookie = method === 'POST' ? doomed : other;
    const ended = await send(`${first.url}${path.replace(':id', id)}`, { method, cookie, origin: first.url });
    expect(ended.status).toBe(204);
    await expect.poll(onSecond, { timeout: 1_000, interval: 10 }).toBe(401);
  });
});
