import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPerson, newEmail, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { whileLocked } from '../support/while-locked';

/** The password of every user of `tests/support/fixtures.ts`. */
const oldPassword = 'correct horse battery';
const newPassword = 'an entirely new sentence';

describe('passwords and email links:', () => {
  let parley: SharedParley;

  beforeAll(async () => {
    parley = await sharedParley();
  });

  function mailsTo(email: string): string[] {
    const outbox = join(parley.dataDir, 'outbox');
    const mails = readdirSync(outbox).sort();
    return mails
      .map((file) => readFileSync(join(outbox, file), 'utf8'))
      .filter((text) => text.includes(`To: ${email}\r\n`));
  }

  /**
   * The token of the link in the latest email with this subject; waits for it, since emails are sent after the
   * response.
   */
  async function tokenMailedTo(email: string, subject: RegExp): Promise<string> {
    const mail = await waitFor(() => mailsTo(email).findLast((text) => subject.test(text)), {
      what: `a mail ${subject}`,
    });
    return new URL(/^http:\S+$/m.exec(mail)?.[0] ?? 'about:blank').searchParams.get('token') ?? '';
  }

  function post(path: string, body: object): Promise<Response> {
    const headers = { 'x-forwarded-for': '198.18.0.1' };
    return send(`${parley.url}${path}`, { body, origin: parley.url, headers });
  }

  const signIn = (email: string, password: string) => post('/api/auth/local', { email, password });
  const asked = (person: Person, path: string) => send(`${parley.url}${path}`, { cookie: person.cookie });

  async function askReset(email: string): Promise<string> {
    expect((await post('/api/auth/reset', { email })).status).toBe(202);
    return tokenMailedTo(email, /Subject: Reset your Parley password/);
  }

  it.each(['password1234', 'P@ssw0rd2026', 'password'.repeat(25)])(
    '"%s" is rejected as common in every password form',
    async (password) => {
      const eve = await createPerson(parley.url, 'Eve');
      const email = `${password.slice(0, 12).replace(/\W/g, '')}@example.test`;
      const token = await askReset(eve.email);
      const responses = [
        await post('/api/auth/sign-up', { email, name: 'Eve', password }),
        await post('/api/auth/reset/finish', { token, password }),
        await send(`${parley.url}/api/auth/password`, {
          method: 'PUT',
          body: { current: oldPassword, password },
          cookie: eve.cookie,
          origin: parley.url,
        }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(400);
        const [fault] = ((await response.json()) as { faults: { pointer: string; message: string }[] }).faults;
        expect(fault).toEqual({ pointer: '/password', message: expect.stringMatching(/easy to guess/) });
      }
    },
  );

  describe('a password reset', () => {
    it('returns the same response for any email address, sends email only to known ones, and stores no link', async () => {
      const ada = await createPerson(parley.url, 'Ada');
      const known = await post('/api/auth/reset', { email: ada.email });
      const nobody = newEmail('nobody');
      const unknown = await post('/api/auth/reset', { email: nobody });
      expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
      const token = await tokenMailedTo(ada.email, /Reset your Parley password/);
      expect(mailsTo(nobody)).toEqual([]);
      const storedLinks = await query<{ row: string }>('test-links', 'SELECT t::text AS row FROM magic_link t', []);
      expect(storedLinks.length).toBeGreaterThan(0);
      expect(JSON.stringify(storedLinks)).not.toContain(token);
    });

    it('works once, signs in, ends all sessions, devices and, on request, tokens, and confirms by email', async () => {
      const bob = await createPerson(parley.url, 'Bob');
      const token = await askReset(bob.email);
      const weak = await post('/api/auth/reset/finish', { token, password: 'short' });
      expect([weak.status, (await weak.json()).faults[0].pointer]).toEqual([400, '/password']);

      const done = await post('/api/auth/reset/finish', { token, password: newPassword, endTokens: true });
      expect(done.status, await done.text()).toBe(204);
      expect(done.headers.get('set-cookie')).toMatch(/^parley=.+HttpOnly/);
      expect((await asked(bob, '/api/auth/profile')).status).toBe(401);
      const byToken = await send(`${parley.url}/api/auth/profile`, { bearer: bob.accessToken });
      expect(byToken.status).toBe(401);

      expect((await post('/api/auth/reset/finish', { token, password: newPassword })).status).toBe(404);
      expect((await signIn(bob.email, oldPassword)).status).toBe(401);
      expect((await signIn(bob.email, newPassword)).status).toBe(204);
      await waitFor(() => mailsTo(bob.email).some((text) => text.includes('Your Parley password was changed')), {
        what: 'the notice',
      });
    });

    it('leaves access tokens unchanged unless the user asks to revoke them', async () => {
      const cleo = await createPerson(parley.url, 'Cleo');
      const token = await askReset(cleo.email);
      expect((await post('/api/auth/reset/finish', { token, password: newPassword })).status).toBe(204);
      expect((await send(`${parley.url}/api/auth/profile`, { bearer: cleo.accessToken })).status).toBe(200);
    });

    it('is valid once, even under concurrency, and a link for one purpose is rejected for another', async () => {
      const dan = await createPerson(parley.url, 'Dan');
      const token = await askReset(dan.email);
      expect((await post('/api/auth/link/finish', { token })).status).toBe(404);
      const both = await Promise.all(
        [1, 2].map((turn) => post('/api/auth/reset/finish', { token, password: `${newPassword} ${turn}` })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    });

    it('expires after 20 minutes', async () => {
      const eve = await createPerson(parley.url, 'Eve');
      const token = await askReset(eve.email);
      await query('test-age-links', "UPDATE magic_link SET expires_at = now() - interval '1 second'", []);
      expect((await post('/api/auth/reset/finish', { token, password: newPassword })).status).toBe(404);
    });
  });

  describe('a sign-in concurrent with a password change', () => {
    const sessionsOf = ({ userId }: Person) =>
      query<{ id: string }>('test-sessions', 'SELECT id FROM session WHERE user_id = $1', [userId]);

    it('opens no session with the old password if the new one was set first', async () => {
      const lea = await createPerson(parley.url, 'Lea');
      const before = await sessionsOf(lea);
      const response = await whileLocked(
        (tx) => tx.$executeRaw`UPDATE "user" SET password_hash = 'another' WHERE id = ${lea.userId}`,
        () => signIn(lea.email, oldPassword),
      );
      expect(response.status).toBe(401);
      expect(await sessionsOf(lea)).toEqual(before);
    });

    it('loses its session to the new password if the session was opened first', async () => {
      const max = await createPerson(parley.url, 'Max');
      const token = await askReset(max.email);
      const response = await whileLocked(
        (tx) => tx.$executeRaw`INSERT INTO session (id, session_token, user_id, expires, user_agent, address)
          VALUES (${`late-${max.userId}`}, ${max.userId}, ${max.userId}, now() + interval '1 day', '', '')`,
        () => post('/api/auth/reset/finish', { token, password: newPassword }),
      );
      expect(response.status, await response.text()).toBe(204);
      expect((await sessionsOf(max)).map(({ id }) => id)).toEqual([expect.not.stringContaining('late-')]);
    });
  });

  describe('a sign-in link', () => {
    it('signs in only with the button on its page, so that mail scanners cannot consume it', async () => {
      const gil = await createPerson(parley.url, 'Gil');
      expect((await post('/api/auth/link', { email: gil.email, next: '/orders' })).status).toBe(202);
      const token = await tokenMailedTo(gil.email, /Parley sign-in link/);
      const page = `${parley.url}/sign-in/link?${new URLSearchParams({ token })}`;
      for (let turn = 0; turn < 3; turn++) expect(await (await fetch(page)).text()).toContain(gil.email);
      const first = await post('/api/auth/link/finish', { token });
      expect(first.status, await first.text()).toBe(204);
      expect((await post('/api/auth/link/finish', { token })).status).toBe(404);
    });
  });

  describe('a password change', () => {
    it('requires the old password, keeps this session and ends the others', async () => {
      const hal = await createPerson(parley.url, 'Hal');
      const other = (await signIn(hal.email, oldPassword)).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const change = (body: object) =>
        send(`${parley.url}/api/auth/password`, { method: 'PUT', body, cookie: hal.cookie, origin: parley.url });
      const wrong = await change({ current: 'not it at all', password: newPassword });
      expect([wrong.status, (await wrong.json()).faults[0].pointer]).toEqual([400, '/current']);
      expect((await change({ current: oldPassword, password: newPassword })).status).toBe(204);
      expect((await asked(hal, '/api/auth/profile')).status).toBe(200);
      expect((await send(`${parley.url}/api/auth/profile`, { cookie: other })).status).toBe(401);
      expect((await signIn(hal.email, newPassword)).status).toBe(204);
    });

    it('can add a first password to an account, but only after a recent sign-in', async () => {
      const ida = await createPerson(parley.url, 'Ida');
      await query('test-no-password', 'UPDATE "user" SET password_hash = NULL WHERE email = $1', [ida.email]);
      await query(
        'test-old-sign-in',
        `UPDATE session SET signed_in_at = now() - interval '1 hour' FROM "user" WHERE user_id = "user".id AND email = $1`,
        [ida.email],
      );
      const set = (cookie: string) =>
        send(`${parley.url}/api/auth/password`, {
          method: 'PUT',
          body: { password: newPassword },
          cookie,
          origin: parley.url,
        });
      await query('test-tell', `SELECT pg_notify('parley', 'elsewhere credential ' || id) FROM session`, []);
      await waitFor(async () => (await set(ida.cookie)).status === 403, { what: 'the sign-in to be too old' });
      expect((await (await set(ida.cookie)).json()).code).toBe('sign_in_again');
      expect((await post('/api/auth/link', { email: ida.email })).status).toBe(202);
      const token = await tokenMailedTo(ida.email, /Parley sign-in link/);
      const cookie = (await post('/api/auth/link/finish', { token })).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      expect((await set(cookie)).status).toBe(204);
      expect((await signIn(ida.email, newPassword)).status).toBe(204);
    });

    it('does not verify an unverified email address, which still receives no link', async () => {
      const ned = await createPerson(parley.url, 'Ned');
      await query('test-unproved', 'UPDATE "user" SET password_hash = NULL, email_verified = NULL WHERE email = $1', [
        ned.email,
      ]);
      const body = { password: newPassword };
      const set = await send(`${parley.url}/api/auth/password`, {
        method: 'PUT',
        body,
        cookie: ned.cookie,
        origin: parley.url,
      });
      expect(set.status, await set.text()).toBe(204);
      for (const path of ['/api/auth/reset', '/api/auth/link']) {
        const sent = mailsTo(ned.email).length;
        expect((await post(path, { email: ned.email })).status).toBe(202);
        await waitFor(() => mailsTo(ned.email).length > sent, { what: 'the mail' });
      }
      const links = mailsTo(ned.email).filter((text) => /^http:\S+token=/m.test(text));
      expect(links).toEqual([]);
    });

    it('accepts its page’s form before scripts load', async () => {
      const pia = await createPerson(parley.url, 'Pia');
      const sent = (current: string) =>
        fetch(`${parley.url}/api/auth/password`, {
          method: 'POST',
          body: new URLSearchParams({
            current,
            password: newPassword,
            endTokens: 'on',
            next: '/settings/security#password',
          }),
          headers: { cookie: pia.cookie, origin: parley.url },
          redirect: 'manual',
        });
      const wrong = await sent('not it at all');
      expect([wrong.status, wrong.headers.get('location')]).toEqual([
        303,
        '/settings/security?error=invalid_request&next=%2Fsettings%2Fsecurity%23password',
      ]);
      const done = await sent(oldPassword);
      expect([done.status, done.headers.get('location')]).toEqual([303, '/settings/security#password']);
      expect((await signIn(pia.email, newPassword)).status).toBe(204);
      expect((await send(`${parley.url}/api/auth/profile`, { bearer: pia.accessToken })).status).toBe(401);
    });

    it('rejects a weak password before it ends any session', async () => {
      const ola = await createPerson(parley.url, 'Ola');
      const weak = await send(`${parley.url}/api/auth/password`, {
        method: 'PUT',
        body: { current: oldPassword, password: 'short', endTokens: true },
        cookie: ola.cookie,
        origin: parley.url,
      });
      expect([weak.status, (await weak.json()).faults[0].pointer]).toEqual([400, '/password']);
      expect((await send(`${parley.url}/api/auth/profile`, { bearer: ola.accessToken })).status).toBe(200);
    });

    it('has the URL that password managers open', async () => {
      const response = await fetch(`${parley.url}/.well-known/change-password`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/settings/password']);
    });

    it('is not permitted with access tokens', async () => {
      const jan = await createPerson(parley.url, 'Jan');
      const response = await send(`${parley.url}/api/auth/password`, {
        method: 'PUT',
        body: { current: oldPassword, password: newPassword },
        bearer: jan.accessToken,
      });
      expect(response.status).toBe(403);
    });
  });

  describe('optional emails', () => {
    it('are sent by default and stop with one click, except for those that protect the user', async () => {
      const kim = await createPerson(parley.url, 'Kim');
      const put = (body: object) =>
        send(`${parley.url}/api/notifications`, { method: 'PUT', body, cookie: kim.cookie, origin: parley.url });
      const wanted = async () => {
        const { items } = (await (await asked(kim, '/api/notifications')).json()) as {
          items: { kind: string; wanted: boolean }[];
        };
        return Object.fromEntries(items.map((item) => [item.kind, item.wanted]));
      };
      expect(Object.values(await wanted()).every(Boolean)).toBe(true);
      expect((await put({ reviews: false })).status).toBe(204);
      expect(await wanted()).toMatchObject({ reviews: false, orders: true, security: true });
      const refused = await put({ security: false, orders: false });
      expect(refused.status).toBe(400);
      expect(await wanted()).toMatchObject({ orders: true });
      expect((await put({ rumors: true })).status).toBe(400);
    });

    it('are stopped only by our own links', async () => {
      for (const token of ['', 'usr_x.orders.AAAA', 'usr_x.security.AAAA']) {
        const response = await fetch(`${parley.url}/api/notifications/unsubscribe?${new URLSearchParams({ token })}`, {
          method: 'POST',
          body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
        });
        expect(response.status).toBe(404);
      }
    });
  });

  // Last: it uses up the limit of one network.
  describe('the link limit', () => {
    it('returns 429 after several emails to one address, even if it is unknown', async () => {
      const fay = await createPerson(parley.url, 'Fay');
      // Sign-up sent the first email.
      for (const email of [fay.email, newEmail('nobody')]) {
        const statuses: number[] = [];
        for (let turn = 0; turn < 4; turn++) statuses.push((await post('/api/auth/reset', { email })).status);
        expect(statuses.at(-1)).toBe(429);
      }
    });
  });
});
