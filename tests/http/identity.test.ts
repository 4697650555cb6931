import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, newEmail, testPassword as password, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

let addresses = 0;

/** A client address that no other test uses, so that limits of one test never affect another's. */
function newAddress(): string {
  addresses += 1;
  return `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

function newPerson(): Promise<{ email: string; userId: string }> {
  return createAccount('Person');
}

interface SessionItem {
  id: string;
  current: boolean;
  device: string;
  address: string;
}

describe('identity:', () => {
  let parley: SharedParley;
  /** Files of the outbox that other test files caused. */
  let earlierMails: Set<string>;

  beforeAll(async () => {
    parley = await sharedParley();
    earlierMails = new Set(await readdir(join(parley.dataDir, 'outbox')).catch(() => []));
  });

  function call(path: string, options: Parameters<typeof send>[1] = {}): Promise<Response> {
    const headers = { 'x-forwarded-for': newAddress(), ...options.headers };
    return send(`${parley.url}${path}`, { ...options, headers });
  }

  function signIn(email: string, options: Parameters<typeof send>[1] = {}): Promise<Response> {
    return call('/api/auth/local', { body: { email, password }, ...options });
  }

  async function cookieOf(email: string, options: Parameters<typeof send>[1] = {}): Promise<string> {
    const response = await signIn(email, options);
    expect(response.status).toBe(204);
    return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  }

  async function sessionsOf(cookie: string): Promise<SessionItem[]> {
    const response = await call('/api/auth/sessions', { cookie });
    expect(response.status).toBe(200);
    return ((await response.json()) as { items: SessionItem[] }).items;
  }

  async function isSignedIn(cookie: string): Promise<boolean> {
    const { status } = await call('/api/auth/sessions', { cookie });
    expect([200, 401]).toContain(status);
    return status === 200;
  }

  /** The body without the request id, which always differs. */
  async function problemOf(response: Response): Promise<object> {
    const { requestId, ...problem } = (await response.json()) as Record<string, unknown>;
    expect(requestId).toBe(response.headers.get('x-request-id'));
    return problem;
  }

  async function mailsTo(email: string): Promise<string[]> {
    const folder = join(parley.dataDir, 'outbox');
    const names = (await readdir(folder)).sort();
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`));
  }

  describe('a sign-in', () => {
    test('SES-1: sets a cookie only for our site: HttpOnly, SameSite=Lax, whole site, no domain, 30 days', async () => {
      const { email } = await newPerson();
      const response = await signIn(email);
      expect(response.status).toBe(204);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const [pair, ...attributes] = (response.headers.getSetCookie()[0] ?? '').split('; ');
      expect(pair).toMatch(/^parley=[\w-]{43}$/);
      expect(attributes.filter((attribute) => !attribute.startsWith('Expires='))).toEqual([
        'Path=/',
        'HttpOnly',
        'SameSite=Lax',
      ]);
      const expires = attributes.find((attribute) => attribute.startsWith('Expires='))?.slice(8) ?? '';
      const days = (new Date(expires).getTime() - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThanOrEqual(30);
    });

    test('SES-1: stores a hash of the cookie in the database, never the cookie', async () => {
      const { email, userId } = await newPerson();
      const token = (await cookieOf(email)).slice('parley='.length);
      const rows = await query<{ row: string }>(
        'test-session',
        'SELECT session::text AS row FROM session WHERE user_id = $1',
        [userId],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(token);
      expect(await isSignedIn(`parley=${rows[0]?.row.split(',')[1]}`)).toBe(false);
    });

    test('accepts the email in any case and with surrounding spaces', async () => {
      const { email } = await newPerson();
      expect((await call('/api/auth/local', { body: { email: `  ${email.toUpperCase()} `, password } })).status).toBe(
        204,
      );
    });

    test('fails with the same response for an unknown email, a wrong password and a missing password', async () => {
      const { email } = await newPerson();
      await query(
        'test-no-password',
        `INSERT INTO "user" (id, email, name) VALUES ($1, $1 || '@example.test', 'X') ON CONFLICT DO NOTHING`,
        ['usr_none'],
      );
      const responses = await Promise.all(
        [
          { email, password: 'not this password' },
          { email: 'nobody@example.test', password: 'not this password' },
          { email: 'usr_none@example.test', password: 'not this password' },
        ].map((body) => call('/api/auth/local', { body })),
      );
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
      const [wrong, ...others] = await Promise.all(responses.map(problemOf));
      expect(wrong).toMatchObject({ code: 'unauthenticated' });
      expect(others).toEqual([wrong, wrong]);
      const headers = responses.map((answer) => [...answer.headers.keys()].sort());
      expect(headers[1]).toEqual(headers[0]);
      expect(responses.some((answer) => answer.headers.has('set-cookie'))).toBe(false);
    });

    test('SES-1: ends on the server at the sign-out, which also deletes the cookie in the browser', async () => {
      const { email } = await newPerson();
      const cookie = await cookieOf(email);
      const response = await call('/api/auth/sign-out', { method: 'POST', cookie, origin: parley.url });
      expect(response.status).toBe(204);
      expect(response.headers.get('set-cookie')).toMatch(/^parley=; .*Expires=Thu, 01 Jan 1970/);
      expect(await isSignedIn(cookie)).toBe(false);
      expect((await call('/api/auth/sign-out', { method: 'POST', cookie, origin: parley.url })).status).toBe(204);
    });

    test('SES-1: starts a new session each time and ends the one that the browser sent (fixation)', async () => {
      const mallory = await newPerson();
      const ada = await newPerson();
      const planted = await cookieOf(mallory.email);
      const fresh = await cookieOf(ada.email, { cookie: planted, origin: parley.url });
      expect(fresh).not.toBe(planted);
      expect(await isSignedIn(planted)).toBe(false);
      const invented = `parley=${'A'.repeat(43)}`;
      expect(await cookieOf(ada.email, { cookie: invented, origin: parley.url })).not.toBe(invented);
      expect(await isSignedIn(invented)).toBe(false);
    });

    test('is rejected for a suspended user, whose existing sessions are invalid', async () => {
      const { email, userId } = await newPerson();
      const cookie = await cookieOf(email);
      await query(
        'test-suspend',
        `UPDATE "user" SET suspended_at = now() WHERE id = $1 RETURNING pg_notify('parley', 'test user ' || id)`,
        [userId],
      );
      await expect.poll(() => isSignedIn(cookie), { timeout: 1_000 }).toBe(false);
      const response = await signIn(email);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'forbidden', title: expect.stringContaining('suspended') });
    });

    test.each([
      ['14 days without use', `last_seen_at = now() - interval '14 days 1 minute'`, false],
      ['13 days without use', `last_seen_at = now() - interval '13 days 23 hours'`, true],
      ['30 days after sign-in, regardless of use', `expires = now() - interval '1 second'`, false],
    ])('SES-1: is valid or has expired as specified: %s', async (_when, change, alive) => {
      const { email, userId } = await newPerson();
      const cookie = await cookieOf(email);
      await query(`test-age ${change}`, `UPDATE session SET ${change} WHERE user_id = $1`, [userId]);
      expect(await isSignedIn(cookie)).toBe(alive);
    });

    test('has its last use updated after the response is sent', async () => {
      const { email, userId } = await newPerson();
      const cookie = await cookieOf(email);
      const seen = async (): Promise<number> => {
        const rows = await query<{ at: Date }>(
          'test-seen',
          'SELECT last_seen_at AS at FROM session WHERE user_id = $1',
          [userId],
        );
        return rows[0]?.at.getTime() ?? 0;
      };
      const start = await seen();
      expect(await isSignedIn(cookie)).toBe(true);
      expect(await seen()).toBe(start);
      await query(
        'test-older',
        `UPDATE session SET last_seen_at = now() - interval '1 hour' WHERE user_id = $1 RETURNING pg_notify('parley', 'test credential ' || session_token)`,
        [userId],
      );
      await expect
        .poll(async () => (await isSignedIn(cookie)) && (await seen()) >= start, { timeout: 2_000 })
        .toBe(true);
    });
  });

  // Dozens of password hashes: slow on a busy machine.
  describe('the sign-in limit (LIM-8)', { timeout: 90_000 }, () => {
    test('returns 429 with Retry-After for guesses at one account from any number of IP addresses', async () => {
      const { email } = await newPerson();
      const statuses: number[] = [];
      let last = new Response();
      for (let guess = 0; guess < 12; guess++) {
        last = await call('/api/auth/local', { body: { email, password: `guess number ${guess}` } });
        statuses.push(last.status);
      }
      expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await last.json()).toMatchObject({ code: 'rate_limited' });
      expect((await signIn(email)).status).toBe(429);
    });

    test('applies equally to an email that has no account', async () => {
      const statuses: number[] = [];
      const email = `nobody-${randomUUID()}@example.test`;
      for (let guess = 0; guess < 11; guess++) {
        const body = { email, password: 'not this password' };
        statuses.push((await call('/api/auth/local', { body })).status);
      }
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
    });

    test('returns 429 for guesses from one IP address at any number of accounts', async () => {
      const headers = { 'x-forwarded-for': newAddress() };
      const guesses = Array.from({ length: 50 }, (_, at) => ({
        email: `victim-${at}@example.test`,
        password: 'not this one',
      }));
      const responses = await Promise.all(guesses.map((body) => call('/api/auth/local', { body, headers })));
      const statuses = responses.map(({ status }) => status);
      // Thirty, plus those refilled meanwhile: ten a minute.
      expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(30);
      expect(statuses.filter((status) => status === 401).length).toBeLessThan(35);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(15);
      const { email } = await newPerson();
      expect((await signIn(email)).status).toBe(204);
    });

    test('counts concurrent guesses like sequential ones', async () => {
      const { email } = await newPerson();
      const body = { email, password: 'not this password' };
      const responses = await Promise.all(Array.from({ length: 25 }, () => call('/api/auth/local', { body })));
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
    });

    test('never affects a user with the correct password', async () => {
      const { email } = await newPerson();
      const headers = { 'x-forwarded-for': newAddress() };
      const responses = [];
      for (let time = 0; time < 4; time++) {
        responses.push(...(await Promise.all(Array.from({ length: 9 }, () => signIn(email, { headers })))));
      }
      expect(responses.map(({ status }) => status)).toEqual(Array(36).fill(204));
    });
  });

  describe('CSRF-1: a write with the cookie', () => {
    let email: string;
    let cookie: string;

    beforeAll(async () => {
      email = (await newPerson()).email;
      cookie = await cookieOf(email);
    });

    const others = [
      ['without Origin', undefined],
      ['from a null origin', 'null'],
      ['from another origin', 'https://evil.example'],
      ['from another port', 'http://localhost:1'],
      ['from a sibling host', 'http://evil.localhost'],
      ['from a host with our name as a prefix', 'http://localhost.evil.example'],
      ['over the other scheme', 'https://self'],
    ] as const;

    const toOrigin = (origin: string | undefined): string | undefined =>
      origin === 'https://self' ? parley.url.replace('http:', 'https:') : origin;

    test.each(others)('%s is rejected everywhere, without effect', async (_name, origin) => {
      const [current] = await sessionsOf(cookie);
      const writes: [string, string, object?][] = [
        ['POST', '/api/auth/sign-out'],
        ['DELETE', '/api/auth/sessions'],
        ['DELETE', '/api/auth/sessions?include=current'],
        ['DELETE', `/api/auth/sessions/${current?.id}`],
        ['PATCH', '/api/auth/profile', { name: 'Mallory' }],
        ['POST', '/api/auth/local', { email, password }],
        ['POST', '/api/auth/sign-up', { email: newEmail('new'), name: 'N', password }],
        ['POST', '/api/auth/confirm', { token: 'x', password }],
        ['POST', '/api/auth/signin/oidc', {}],
      ];
      for (const [method, path, body] of writes) {
        const response = await call(path, { method, body, cookie, origin: toOrigin(origin) });
        expect([path, response.status]).toEqual([path, 403]);
        expect(await response.json()).toMatchObject({ code: 'origin_required' });
      }
      expect(await isSignedIn(cookie)).toBe(true);
    });

    test.each(others.slice(1))('%s cannot sign in as another user, even without any cookie', async (_name, origin) => {
      const response = await signIn(email, { origin: toOrigin(origin) });
      expect(response.status).toBe(403);
      expect(response.headers.has('set-cookie')).toBe(false);
    });

    test.each([
      ['text/plain', 415],
      ['multipart/form-data; boundary=x', 415],
      ['', 415],
      ['application/x-www-form-urlencoded', 403],
    ])('in a form that another origin could send as %j is not JSON: %i', async (type, status) => {
      const fields = type.startsWith('application/')
        ? new URLSearchParams({ email, password }).toString()
        : JSON.stringify({ email, password });
      const headers = { 'content-type': type, 'x-forwarded-for': newAddress() };
      const response = await fetch(`${parley.url}/api/auth/local`, {
        method: 'POST',
        headers,
        body: Buffer.from(fields),
      });
      expect(response.status).toBe(status);
      expect(response.headers.has('set-cookie')).toBe(false);
    });

    test('has no response that another origin can read', async () => {
      const read = await call('/api/auth/sessions', { cookie, origin: 'https://evil.example' });
      expect([...read.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('a user’s sessions', () => {
    test('are listed with device and IP address, the current one marked, without other users’ sessions', async () => {
      const { email } = await newPerson();
      const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
      const first = await cookieOf(email, { headers: { 'user-agent': windows, 'x-forwarded-for': '198.51.100.7' } });
      const second = await cookieOf(email, {
        headers: { 'user-agent': 'curl/8.5.0', 'x-forwarded-for': '198.51.100.8' },
      });
      await cookieOf((await newPerson()).email);
      const seenByFirst = await sessionsOf(first);
      expect(
        seenByFirst
          .map(({ device, address, current }) => ({ device, address, current }))
          .sort((a, b) => a.address.localeCompare(b.address)),
      ).toEqual([
        { device: 'Firefox on Windows', address: '198.51.100.7', current: true },
        { device: 'curl', address: '198.51.100.8', current: false },
      ]);
      expect((await sessionsOf(second)).find(({ current }) => current)?.device).toBe('curl');
    });

    test('can be ended individually, all but the current one, or all together', async () => {
      const { email } = await newPerson();
      const [mine, phone, laptop, work] = await Promise.all([
        cookieOf(email),
        cookieOf(email),
        cookieOf(email),
        cookieOf(email),
      ]);
      if (!mine || !phone || !laptop || !work) throw new Error('four sign-ins');
      const phoneId = (await sessionsOf(phone)).find(({ current }) => current)?.id;
      const end = (path: string): Promise<Response> =>
        call(path, { method: 'DELETE', cookie: mine, origin: parley.url });
      expect((await end(`/api/auth/sessions/${phoneId}`)).status).toBe(204);
      expect(await Promise.all([mine, phone, laptop, work].map(isSignedIn))).toEqual([true, false, true, true]);
      expect((await end('/api/auth/sessions')).status).toBe(204);
      expect(await Promise.all([mine, laptop, work].map(isSignedIn))).toEqual([true, false, false]);
      const last = await end('/api/auth/sessions?include=current');
      expect(last.status).toBe(204);
      expect(last.headers.get('set-cookie')).toMatch(/^parley=;/);
      expect(await isSignedIn(mine)).toBe(false);
    });

    test('look unknown to another user', async () => {
      const ada = await newPerson();
      const bob = await newPerson();
      const [adaCookie, bobCookie] = await Promise.all([cookieOf(ada.email), cookieOf(bob.email)]);
      const bobs = (await sessionsOf(bobCookie))[0]?.id ?? '';
      const responses = await Promise.all(
        [bobs, 'ses_00000000000000000000', 'x'].map((id) =>
          call(`/api/auth/sessions/${id}`, { method: 'DELETE', cookie: adaCookie, origin: parley.url }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
      const [foreignAnswer, ...unknown] = await Promise.all(responses.map(problemOf));
      expect(unknown).toEqual([foreignAnswer, foreignAnswer]);
      expect(await isSignedIn(bobCookie)).toBe(true);
    });

    test('can be read or ended only with a session, not anonymously or with an access token', async () => {
      const { email } = await newPerson();
      const cookie = await cookieOf(email);
      const made = await call('/api/auth/access-tokens', { body: { name: 'cli' }, cookie, origin: parley.url });
      const { token } = (await made.json()) as { token: string };
      for (const [method, path, body] of [
        ['GET', '/api/auth/sessions'],
        ['DELETE', '/api/auth/sessions'],
        ['PATCH', '/api/auth/profile', { name: 'Eve' }],
      ] as [string, string, object?][]) {
        expect((await call(path, { method, body })).status).toBe(401);
        expect((await call(path, { method, body, bearer: token })).status).toBe(403);
      }
      expect(await isSignedIn(cookie)).toBe(true);
    });
  });

  describe('the profile', () => {
    let cookie: string;

    beforeAll(async () => {
      cookie = await cookieOf((await newPerson()).email);
    });

    test('accepts a new name and cleans it', async () => {
      const response = await call('/api/auth/profile', {
        method: 'PATCH',
        body: { name: ' Ada\u202e Byron ' },
        cookie,
        origin: parley.url,
      });
      expect(response.status).toBe(204);
      await expect
        .poll(
          async () =>
            ((await (await call('/api/auth/session', { cookie })).json()) as { user: { name: string } }).user.name,
          { timeout: 1_000 },
        )
        .toBe('Ada Byron');
    });

    test.each([[''], ['   '], ['x'.repeat(81)], [7], [null]])(
      'rejects %j as a name and names the invalid member',
      async (name) => {
        const response = await call('/api/auth/profile', {
          method: 'PATCH',
          body: { name },
          cookie,
          origin: parley.url,
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'invalid_request', faults: [{ pointer: '/name' }] });
      },
    );
  });

  describe('signing up', () => {
    const linkIn = (mail: string | undefined): URL =>
      new URL(/\S+\/confirm\?\S+/.exec(mail ?? '')?.[0] ?? 'about:blank');

    test('creates the account through an email, once, with the chosen password, and returns to the user’s page', async () => {
      const email = newEmail('grace');
      const asked = await call('/api/auth/sign-up', {
        body: { email, name: 'Grace', password, next: '/agents?q=pizza' },
      });
      expect(asked.status).toBe(202);
      expect((await signIn(email)).status).toBe(401);
      const mails = await mailsTo(email);
      expect(mails).toHaveLength(1);
      const link = linkIn(mails[0]);
      expect(link.origin).toBe(parley.url);
      expect(link.searchParams.get('next')).toBe('/agents?q=pizza');
      const token = link.searchParams.get('token');

      const wrong = await call('/api/auth/confirm', { body: { token, password: 'not the one chosen' } });
      expect(wrong.status).toBe(401);
      expect(wrong.headers.has('set-cookie')).toBe(false);

      const right = await call('/api/auth/confirm', { body: { token, password } });
      expect(right.status).toBe(204);
      expect(await isSignedIn(right.headers.get('set-cookie')?.split(';', 1)[0] ?? '')).toBe(true);
      expect((await signIn(email)).status).toBe(204);

      const again = await call('/api/auth/confirm', { body: { token, password } });
      expect(again.status).toBe(404);
      expect((await call('/api/auth/confirm', { body: { token: 'x'.repeat(43), password } })).status).toBe(404);
    });

    test('with another person’s email address gives no access, and the owner can still sign up', async () => {
      const email = newEmail('mine');
      await call('/api/auth/sign-up', { body: { email, name: 'Mallory', password: 'the password of mallory' } });
      await call('/api/auth/sign-up', { body: { email, name: 'Me', password } });
      const tokens = (await mailsTo(email)).map((mail) => linkIn(mail).searchParams.get('token'));
      expect(tokens).toHaveLength(2);
      // The owner follows both links, in any order, with their own password.
      const responses = [];
      for (const token of tokens) responses.push(await call('/api/auth/confirm', { body: { token, password } }));
      expect(responses.map(({ status }) => status)).toEqual([401, 204]);
      expect((await signIn(email, { body: { email, password: 'the password of mallory' } })).status).toBe(401);
      expect(
        (await call('/api/auth/confirm', { body: { token: tokens[0], password: 'the password of mallory' } })).status,
      ).toBe(404);
      expect((await signIn(email)).status).toBe(204);
    });

    test('creates one account and one session if a link is used twice concurrently', async () => {
      const email = newEmail('twice');
      await call('/api/auth/sign-up', { body: { email, name: 'Twice', password } });
      const token = linkIn((await mailsTo(email))[0]).searchParams.get('token');
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => call('/api/auth/confirm', { body: { token, password } })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    });

    test('sends a link that is valid for 24 hours', async () => {
      const email = newEmail('late');
      await call('/api/auth/sign-up', { body: { email, name: 'Late', password } });
      const token = linkIn((await mailsTo(email))[0]).searchParams.get('token');
      await query('test-late', `UPDATE pending_sign_up SET expires_at = now() - interval '1 second' WHERE email = $1`, [
        email,
      ]);
      expect((await call('/api/auth/confirm', { body: { token, password } })).status).toBe(404);
    });

    test('returns the same response for every email address, and only the email reveals an account', async () => {
      const { email: known } = await newPerson();
      const unknown = newEmail('unknown');
      const [first, second] = await Promise.all(
        [known, unknown].map((email) => call('/api/auth/sign-up', { body: { email, name: 'Eve', password } })),
      );
      expect([first?.status, second?.status]).toEqual([202, 202]);
      expect(await first?.text()).toBe(await second?.text());
      expect([...(first?.headers.keys() ?? [])].sort()).toEqual([...(second?.headers.keys() ?? [])].sort());
      const [toKnown] = await mailsTo(known);
      expect(toKnown).toMatch(/already have a Parley account/);
      expect(toKnown).not.toMatch(/\/confirm/);
      expect((await signIn(known)).status).toBe(204);
    });

    test('copies no input into the email, so that a sender cannot put text into it', async () => {
      const email = newEmail('spam');
      await call('/api/auth/sign-up', {
        body: { email, name: 'Buy at evil.example', password, next: '//evil.example' },
      });
      const [mail] = await mailsTo(email);
      expect(mail).not.toMatch(/evil/);
    });

    test('sends a limited number of emails to an address, however many requests are made', async () => {
      const email = newEmail('flood');
      const statuses: number[] = [];
      for (let time = 0; time < 5; time++) {
        statuses.push((await call('/api/auth/sign-up', { body: { email, name: 'F', password } })).status);
      }
      expect(statuses).toEqual([202, 202, 202, 429, 429]);
      expect(await mailsTo(email)).toHaveLength(3);
    });

    test.each([
      ['a short password', { password: 'short' }, '/password'],
      ['a long password', { password: 'x'.repeat(201) }, '/password'],
      [
        'the address as password',
        { password: 'Eve-Long-Address@example.test', email: 'eve-long-address@example.test' },
        '/password',
      ],
      ['no address', { email: 'eve' }, '/email'],
      ['two addresses', { email: 'eve@example.test, ada@example.test' }, '/email'],
      ['a header in the address', { email: 'eve@example.test\r\nBcc: ada@example.test' }, '/email'],
      ['no name', { name: ' ' }, '/name'],
    ])('rejects %s, names the field, and sends no email', async (_name, change, pointer) => {
      const response = await call('/api/auth/sign-up', {
        body: { email: newEmail('bad'), name: 'Eve', password, ...change },
      });
      expect(response.status).toBe(400);
      const problem = (await response.json()) as { faults: { pointer: string }[] };
      expect(problem.faults.map((fault) => fault.pointer)).toContain(pointer);
      expect(await mailsTo(newEmail('bad'))).toEqual([]);
    });

    test('LOG-1: makes the outbox readable only by its owner, and logs no link, email address or password', async () => {
      const email = newEmail('secret');
      const secret = 'a very secret password';
      await call('/api/auth/sign-up', { body: { email, name: 'S', password: secret } });
      const folder = join(parley.dataDir, 'outbox');
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      const output = await parley.output();
      for (const name of await readdir(folder)) {
        expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
        if (!earlierMails.has(name)) expect(output).toContain(name);
      }
      expect(await mailsTo(email)).toHaveLength(1);
      const token = linkIn((await mailsTo(email))[0]).searchParams.get('token') ?? 'missing';
      const cookie =
        (await call('/api/auth/confirm', { body: { token, password: secret } })).headers.get('set-cookie') ?? '';
      const printed = await parley.output();
      for (const hidden of [email, secret, token, cookie.slice(7, 50)]) expect(printed).not.toContain(hidden);
    });
  });

  describe('a form without JavaScript', () => {
    function post(
      path: string,
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ): Promise<Response> {
      const all = { origin: parley.url, 'x-forwarded-for': newAddress(), ...headers };
      return fetch(`${parley.url}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: all,
        redirect: 'manual',
      });
    }

    test('signs in and redirects to the user’s page, with the cookie', async () => {
      const { email } = await newPerson();
      const response = await post('/api/auth/local', { email, password, next: '/chat/new?agent=pizzeria&text=hi' });
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe('/chat/new?agent=pizzeria&text=hi');
      expect(await isSignedIn(response.headers.get('set-cookie')?.split(';', 1)[0] ?? '')).toBe(true);
    });

    test('redirects a failed sign-in to the form with its return path, and copies no input into a URL', async () => {
      const { email } = await newPerson();
      const response = await post('/api/auth/local', {
        email,
        password: 'not this one',
        next: '/chat',
        reason: 'send',
      });
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe('/sign-in?reason=send&error=unauthenticated&next=%2Fchat');
    });

    test('RED-1: replaces an external return path with the home page', async () => {
      const { email } = await newPerson();
      for (const next of [
        '//evil.example',
        'https://evil.example',
        '/\\evil.example',
        '/%2f/evil.example',
        'javascript:alert(1)',
      ]) {
        expect((await post('/api/auth/local', { email, password, next })).headers.get('location')).toBe('/');
        expect((await post('/api/auth/local', { email, password: 'wrong', next })).headers.get('location')).toBe(
          '/sign-in?error=unauthenticated',
        );
      }
    });

    test('completes a sign-up and its confirmation', async () => {
      const email = newEmail('form');
      const asked = await post('/api/auth/sign-up', { email, name: 'Form', password, next: '/agents' });
      expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-up/sent?next=%2Fagents']);
      const token = /token=([\w-]+)/.exec((await mailsTo(email))[0] ?? '')?.[1] ?? '';
      const wrong = await post('/api/auth/confirm', { token, password: 'not this one', next: '/agents' });
      expect(wrong.headers.get('location')).toBe(`/confirm?token=${token}&error=unauthenticated&next=%2Fagents`);
      const right = await post('/api/auth/confirm', { token, password, next: '/agents' });
      expect([right.status, right.headers.get('location')]).toEqual([303, '/agents']);
      const cookie = right.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const out = await post('/api/auth/sign-out', {}, { cookie });
      expect([out.status, out.headers.get('location')]).toEqual([303, '/']);
      expect(await isSignedIn(cookie)).toBe(false);
    });
  });
});
