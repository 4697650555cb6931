import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureLocalUser } from '@/lib/identity';
import { type Claims, OidcProvider } from '../fakes/oidc-provider';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { Browser, type Landing } from './identity-browser';

const password = 'correct horse battery';

/** A user's input on the provider's page, and the address at which to stop on the way back. */
interface Answer {
  login: string;
  until?: (next: string) => boolean;
}

describe('sign-in through a provider', () => {
  let parley: Parley;
  let provider: OidcProvider;
  let logins = 0;

  beforeAll(async () => {
    provider = await OidcProvider.start();
    const ADMIN_EMAILS = `admin@example.test`;
    const env = { ...provider.env, ADMIN_EMAILS, GITHUB_ID: 'a-github-id', GITHUB_SECRET: 'a-github-secret' };
    parley = await startParley({ env });
    provider.register(parley.url);
  });
  afterAll(async () => {
    await parley?.stop();
    await provider?.stop();
  });

  /** A user with an account at the provider. */
  function newUser(claims: Claims = {}): { login: string; email: string } {
    logins += 1;
    const login = `login-${logins}`;
    const email = `${login}@example.test`;
    provider.people.set(login, { email, email_verified: true, name: `Login ${logins}`, ...claims });
    return { login, email };
  }

  /** Goes from our page to the provider's. */
  function start(browser: Browser, next = '/agents?q=x'): Promise<Landing> {
    return browser.visit(`${parley.url}/api/auth/signin/oidc`, { form: { next } });
  }

  /** Signs in there and returns, up to the landing page or the address that `until` selects. */
  async function finish(browser: Browser, page: Landing, { login, until }: Answer): Promise<Landing> {
    const action = /action="([^"]+)"/.exec(await page.response.text())?.[1] ?? '';
    return browser.visit(new URL(action, page.url).href, { form: { login } }, until);
  }

  async function signIn(browser: Browser, login: string, next?: string): Promise<string> {
    const { url } = await finish(browser, await start(browser, next), { login });
    return url.slice(parley.url.length);
  }

  const isCallback = (next: string): boolean => next.startsWith(`${parley.url}/api/auth/callback/oidc?`);

  function sessionCookie(browser: Browser): string | undefined {
    return browser.cookies(parley.url).get('parley');
  }

  async function who(browser: Browser): Promise<string | undefined> {
    const response = await browser.send(`${parley.url}/api/auth/session`);
    return ((await response.json()) as { user?: { email: string } }).user?.email;
  }

  async function accountsOf(email: string): Promise<{ userId: string; account: string }[]> {
    return query(
      'test-accounts',
      `SELECT u.id AS "userId", a.provider_account_id AS account FROM "user" u LEFT JOIN account a ON a.user_id = u.id WHERE u.email = $1`,
      [email],
    );
  }

  test('leads from our form through the provider’s form to the user’s page, signed in', async () => {
    const browser = new Browser();
    const { login, email } = newUser();
    const page = await browser.send(`${parley.url}/sign-in?next=${encodeURIComponent('/settings/account?a=b')}`);
    const html = await page.text();
    expect(html).toContain(`Continue with ${new URL(provider.issuer).host}`);
    const form = /<form action="\/api\/auth\/signin\/oidc" method="post">(.*?)<\/form>/.exec(html)?.[1] ?? '';
    const next = /name="next" value="([^"]*)"/.exec(form)?.[1] ?? '';
    expect(next).toBe('/settings/account?a=b');

    const theirs = await start(browser, next);
    expect(theirs.url).toMatch(new RegExp(`^${provider.issuer}/sign-in/`));
    const landing = await finish(browser, theirs, { login });
    expect(landing.url).toBe(`${parley.url}/settings/account?a=b`);
    expect(await landing.response.text()).toContain(email);
    expect(await who(browser)).toBe(email);
  });

  test('keeps a very long return path in a cookie that browsers store', async () => {
    const browser = new Browser();
    const next = `/oauth/authorize?state=${'%20a'.repeat(600)}`;
    const theirs = await start(browser, next);
    const cookie = `next-auth.callback-url=${browser.cookies(parley.url).get('next-auth.callback-url')}`;
    expect(cookie.length).toBeGreaterThan(3_000);
    expect(cookie.length).toBeLessThanOrEqual(4_096);
    const landing = await finish(browser, theirs, { ...newUser(), until: (url) => url.startsWith(parley.url + next) });
    expect(landing.url).toBe(parley.url + next);
  });

  test('SES-1: creates the same kind of session as a password: cookie, hash, location', async () => {
    const browser = new Browser();
    const { login } = newUser();
    const back = await finish(browser, await start(browser), { login, until: isCallback });
    const response = await browser.send(back.url);
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('parley=')) ?? '';
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^parley=[\w-]{43}$/);
    expect(attributes.filter((one) => !one.startsWith('Expires=')).sort()).toEqual([
      'HttpOnly',
      'Path=/',
      'SameSite=Lax',
    ]);
    const sessions = (await (await browser.send(`${parley.url}/api/auth/sessions`)).json()) as { items: object[] };
    expect(sessions.items).toEqual([
      expect.objectContaining({
        current: true,
        device: 'Firefox on Linux',
        address: expect.stringMatching(/127\.0\.0\.1$|^::1$/),
      }),
    ]);
    const rows = await query<{ row: string }>('test-rows', 'SELECT s::text AS row FROM session s');
    expect(rows.map(({ row }) => row).join()).not.toContain(pair?.slice('parley='.length));
  });

  test('identifies the same user the second time, with a new session, and ends the previous one', async () => {
    const browser = new Browser();
    const { login, email } = newUser();
    expect(await signIn(browser, login)).toBe('/agents?q=x');
    const before = sessionCookie(browser);
    const person = await accountsOf(email);
    // The provider has a session for the user and redirects back immediately.
    const again = await start(browser, '/chat');
    expect(new URL(again.url).pathname).toBe('/chat');
    expect(sessionCookie(browser)).not.toBe(before);
    expect(await accountsOf(email)).toEqual(person);
    const dead = await fetch(`${parley.url}/api/auth/sessions`, { headers: { cookie: `parley=${before}` } });
    expect(dead.status).toBe(401);
  });

  test('succeeds in both windows if a first sign-in is concurrent', async () => {
    for (let round = 1; round <= 5; round++) {
      const { login, email } = newUser();
      const windows = [new Browser(), new Browser()];
      const pages = await Promise.all(windows.map((browser) => start(browser)));
      const landed = await Promise.all(windows.map((browser, at) => finish(browser, pages[at] as Landing, { login })));
      expect(landed.map(({ url }) => url.slice(parley.url.length))).toEqual(['/agents?q=x', '/agents?q=x']);
      expect(await accountsOf(email)).toHaveLength(1);
    }
  });

  test('identifies a user by issuer and subject, and stores none of the provider’s tokens', async () => {
    const { login, email } = newUser();
    await signIn(new Browser(), login);
    const [row] = await accountsOf(email);
    expect(row?.account).toBe(`${provider.issuer} ${login}`);
    const columns = await query<{ name: string }>(
      'test-columns',
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'account' ORDER BY 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(['id', 'provider', 'provider_account_id', 'user_id']);
  });

  test('identifies the same user after their email at the provider changes', async () => {
    const { login, email } = newUser();
    await signIn(new Browser(), login);
    provider.people.set(login, { email: 'moved@example.test', email_verified: true });
    const browser = new Browser();
    await signIn(browser, login);
    expect(await who(browser)).toBe(email);
  });

  describe('for a rejected user', () => {
    const cases = [
      ['account_exists', 'An account with this email already exists'],
      ['email_missing', 'The provider didn’t share an email'],
      ['email_unverified', 'Your email is not verified with the provider'],
      ['suspended', 'This account is suspended'],
    ] as const;

    async function prepare(problem: (typeof cases)[number][0]): Promise<string> {
      if (problem === 'email_missing') return newUser({ email: undefined }).login;
      if (problem === 'email_unverified') return newUser({ email_verified: false }).login;
      const { login, email } = newUser({});
      if (problem === 'account_exists') {
        await ensureLocalUser({ email, password, name: 'Already here', now: new Date() });
      } else {
        await signIn(new Browser(), login);
        await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE email = $1', [email]);
      }
      return login;
    }

    test.each(cases)('returns the reason %s', async (problem, sentence) => {
      const login = await prepare(problem);
      const browser = new Browser();
      const landing = await finish(browser, await start(browser, '/agents'), { login });
      expect(landing.url).toBe(`${parley.url}/sign-in?error=${problem}&next=%2Fagents`);
      expect(await landing.response.text()).toContain(sentence);
      expect(sessionCookie(browser)).toBeUndefined();
    });

    test('AUZ-4: creates no account for a moderator’s email that the provider has not verified, or for an invalid email', async () => {
      const email = `Admin@example.test`;
      const omitted = newUser({ email, email_verified: undefined });
      expect(await signIn(new Browser(), omitted.login)).toContain('error=email_unverified');
      expect(await accountsOf(email.toLowerCase())).toEqual([]);
      expect(await signIn(new Browser(), newUser({ email: 'no address' }).login)).toContain('error=email_missing');
      expect(await signIn(new Browser(), newUser({ email }).login)).toBe('/agents?q=x');
    });

    test('does not change an account with the same email', async () => {
      const { login, email } = newUser({});
      await ensureLocalUser({ email, password, name: 'Victim', now: new Date() });
      const before = await accountsOf(email);
      await signIn(new Browser(), login);
      await signIn(new Browser(), login);
      expect(await accountsOf(email)).toEqual(before);
    });

    test('returns to our page if it is canceled at the provider', async () => {
      const browser = new Browser();
      const landing = await finish(browser, await start(browser, '/chat'), { login: '' });
      expect(landing.url).toBe(`${parley.url}/sign-in?error=provider_failed&next=%2Fchat`);
      expect(sessionCookie(browser)).toBeUndefined();
    });
  });

  describe('under attack', () => {
    test('rejects a used callback, both in the same browser and in another', async () => {
      const browser = new Browser();
      const { login } = newUser();
      const { url } = await finish(browser, await start(browser), { login, until: isCallback });
      expect((await browser.visit(url)).url).toBe(`${parley.url}/agents?q=x`);
      for (const replaying of [browser, new Browser()]) {
        const cookie = sessionCookie(replaying);
        const refusal = await replaying.send(url);
        expect(refusal.headers.get('location')).toMatch(/^\/sign-in\?error=provider_failed/);
        expect(sessionCookie(replaying)).toBe(cookie);
      }
    });

    test('neither signs a victim in with an attacker’s callback nor links the attacker’s account', async () => {
      const attacker = new Browser();
      const mallory = newUser();
      const { url } = await finish(attacker, await start(attacker), { login: mallory.login, until: isCallback });
      const victim = new Browser();
      const ada = newUser();
      await signIn(victim, ada.login);
      await victim.visit(url);
      expect(await who(victim)).toBe(ada.email);
      // The same applies when the victim has a sign-in in progress, with their own state.
      const middle = new Browser();
      await start(middle);
      await middle.visit(url);
      expect(await who(middle)).toBeUndefined();
      expect(await accountsOf(ada.email)).toHaveLength(1);
    });

    test('SES-1: gives a victim with a planted session their own account, with no link to another', async () => {
      const attacker = new Browser();
      const mallory = newUser();
      await signIn(attacker, mallory.login);
      const victim = new Browser();
      victim.cookies(parley.url).set('parley', sessionCookie(attacker) ?? '');
      const ada = newUser();
      await signIn(victim, ada.login);
      expect(await who(victim)).toBe(ada.email);
      expect(sessionCookie(victim)).not.toBe(sessionCookie(attacker));
      expect(await accountsOf(mallory.email)).toHaveLength(1);
      expect((await accountsOf(mallory.email))[0]?.account).toBe(`${provider.issuer} ${mallory.login}`);
    });

    test.each([
      ['state', 'another'],
      ['code', 'another'],
      ['iss', 'https://evil.example'],
    ])('rejects a callback with another %s', async (name, value) => {
      const browser = new Browser();
      const { url } = await finish(browser, await start(browser), { login: newUser().login, until: isCallback });
      const forged = new URL(url);
      forged.searchParams.set(name, value);
      const landing = await browser.visit(forged.href);
      expect(new URL(landing.url).searchParams.get('error')).toBe('provider_failed');
      expect(sessionCookie(browser)).toBeUndefined();
    });

    test.each([
      ['//evil.example'],
      ['https://evil.example/'],
      ['/\\evil.example'],
      ['http://localhost.evil.example/'],
      ['/%2f%2fevil.example'],
    ])('RED-1: never redirects the user to %s', async (next) => {
      expect(await signIn(new Browser(), newUser().login, next)).toBe('/');
      const browser = new Browser();
      browser.cookies(parley.url).set('next-auth.callback-url', encodeURIComponent(next));
      const landing = await browser.visit(`${parley.url}/api/auth/callback/oidc?code=x&state=y`);
      expect(landing.url).toBe(`${parley.url}/sign-in?error=provider_failed`);
    });

    test('CSRF-1: cannot be started by another origin’s page, and requires the token if there is no Origin', async () => {
      const unauthorized = await new Browser().send(`${parley.url}/api/auth/signin/oidc`, {
        form: {},
        origin: 'https://evil.example',
      });
      expect(unauthorized.status).toBe(403);
      const bare = await new Browser().visit(`${parley.url}/api/auth/signin/oidc`, { form: {}, origin: null });
      expect(new URL(bare.url).pathname).toBe('/sign-in');

      const client = new Browser();
      const { csrfToken } = (await (await client.send(`${parley.url}/api/auth/csrf`)).json()) as { csrfToken: string };
      const form = { csrfToken, callbackUrl: `${parley.url}/chat` };
      const theirs = await client.visit(`${parley.url}/api/auth/signin/oidc`, { form, origin: null });
      const { login, email } = newUser();
      expect((await finish(client, theirs, { login })).url).toBe(`${parley.url}/chat`);
      expect(await who(client)).toBe(email);
    });

    test('LOG-1: logs no codes, states or email addresses, even for failures', async () => {
      const browser = new Browser();
      const { login, email } = newUser();
      const { url } = await finish(browser, await start(browser), { login, until: isCallback });
      const { searchParams } = new URL(url);
      await new Browser().visit(url);
      const forged = new URL(url);
      forged.searchParams.set('state', 'another');
      await browser.visit(forged.href);
      expect(parley.output()).toContain('sign_in.provider_failed');
      for (const hidden of [searchParams.get('code'), searchParams.get('state'), email]) {
        expect(hidden).toBeTruthy();
        expect(parley.output()).not.toContain(hidden);
      }
    });
  });

  describe('with next-auth’s other endpoints', () => {
    test.each([
      ['GET', 'providers', 200],
      ['GET', 'csrf', 200],
      ['GET', 'session', 200],
      ['POST', '_log', 404],
      ['POST', 'session', 404],
      ['POST', 'signout', 404],
      ['POST', 'callback/oidc', 404],
      ['GET', 'callback/unknown', 404],
      ['POST', 'signin/unknown', 404],
      ['GET', 'signin/oidc', 404],
      ['GET', 'verify-request', 404],
      ['GET', 'constructor', 404],
      ['GET', 'signin/oidc/more', 404],
    ] as const)('returns for %s /api/auth/%s the status %i', async (method, path, status) => {
      const response = await new Browser().send(`${parley.url}/api/auth/${path}`, {
        method,
        form: method === 'POST' ? {} : undefined,
      });
      expect(response.status).toBe(status);
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    test.each([
      ['signin?callbackUrl=%2Fagents', '/sign-in?next=%2Fagents'],
      ['signin?callbackUrl=https%3A%2F%2Fevil.example', '/sign-in'],
      ['error?error=AccessDenied', '/sign-in?error=provider_failed'],
      ['error?error=%3Cscript%3E', '/sign-in?error=provider_failed'],
    ])('uses our own page %s', async (path, ours) => {
      const response = await new Browser().send(`${parley.url}/api/auth/${path}`);
      expect([response.status, response.headers.get('location')]).toEqual([303, ours]);
    });

    test('calls GitHub with state and PKCE', async () => {
      const response = await new Browser().send(`${parley.url}/api/auth/signin/github`, { form: { next: '/chat' } });
      const url = new URL(response.headers.get('location') ?? '');
      expect(`${url.origin}${url.pathname}`).toBe('https://github.com/login/oauth/authorize');
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'a-github-id',
        scope: 'read:user user:email',
        response_type: 'code',
        redirect_uri: `${parley.url}/api/auth/callback/github`,
        state: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      });
    });
  });

  test('reports an error if a provider does not respond', async () => {
    await provider.stop();
    const landing = await start(new Browser(), '/chat');
    expect(landing.url).toBe(`${parley.url}/sign-in?error=provider_unreachable&next=%2Fchat`);
    expect(await landing.response.text()).toContain('Can’t reach the provider');
  });

  test('LIM-8: limits the calls to the provider from one IP address', async () => {
    const starts = Array.from({ length: 100 }, () =>
      new Browser().send(`${parley.url}/api/auth/signin/github`, { form: {} }),
    );
    const statuses = (await Promise.all(starts)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([302, 429]));
  });
});
