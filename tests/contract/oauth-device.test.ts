import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessTokenView, DeviceRequestView } from '@/lib/tokens/schema';
import { createPerson, type Person, send, tokenFor } from '../support/fixtures';
import {
  createApp,
  createTokensFixture,
  introspect,
  postForm,
  signInDevice,
  type TokensFixture,
} from './tokens-fixture';

const insecure = { [oauth.allowInsecureRequests]: true };
const cli = { client_id: 'parley-cli' };
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

describe('a device', () => {
  let fixture: TokensFixture;
  let ada: Person;

  beforeAll(async () => {
    fixture = await createTokensFixture();
    ada = await createPerson(fixture.url, 'Ada');
  });

  afterAll(async () => {
    await fixture?.close();
  });

  async function start(form: Record<string, string> = {}): Promise<oauth.DeviceAuthorizationResponse> {
    const response = await postForm(`${fixture.url}/api/auth/device`, { ...cli, ...form });
    expect(response.status).toBe(200);
    return (await response.json()) as oauth.DeviceAuthorizationResponse;
  }

  function redeem(deviceCode: string, client = cli): Promise<Response> {
    const form = { ...client, grant_type: deviceGrant, device_code: deviceCode };
    return postForm(`${fixture.url}/api/auth/token`, form);
  }

  async function errorOf(response: Response): Promise<string> {
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    return ((await response.json()) as { error: string }).error;
  }

  function decide(userCode: string, allow: boolean, by = ada): Promise<Response> {
    const body = { userCode, allow };
    return send(`${fixture.url}/api/auth/device/decide`, { body, cookie: by.cookie, origin: fixture.url });
  }

  function check(userCode: string, by = ada): Promise<Response> {
    return send(`${fixture.url}/api/auth/device/check`, {
      body: { userCode },
      cookie: by.cookie,
      origin: fixture.url,
    });
  }

  async function refresh(token: string, scope?: string): Promise<Response> {
    const form = { ...cli, grant_type: 'refresh_token', refresh_token: token };
    return postForm(`${fixture.url}/api/auth/token`, scope === undefined ? form : { ...form, scope });
  }

  /** The status of a request with an access token to our own API: 200, or that of its refusal. */
  async function apps(bearer: string): Promise<number> {
    return (await send(`${fixture.url}/api/apps`, { bearer })).status;
  }

  it('TOK-5 can be signed in by a strict client with only our metadata', async () => {
    const issuer = new URL(fixture.url);
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
    );
    const started = await oauth.processDeviceAuthorizationResponse(
      as,
      cli,
      await oauth.deviceAuthorizationRequest(as, cli, oauth.None(), { scope: 'handshake' }, insecure),
    );
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        as,
        cli,
        await oauth.deviceCodeGrantRequest(as, cli, oauth.None(), started.device_code, insecure),
      );
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
    expect((await decide(started.user_code, true)).status).toBe(204);
    const tokens = await poll();
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'handshake' });
    const renewed = await oauth.processRefreshTokenResponse(
      as,
      cli,
      await oauth.refreshTokenGrantRequest(as, cli, oauth.None(), tokens.refresh_token ?? '', insecure),
    );
    expect(await tokenFor(fixture.url, { accessToken: renewed.access_token }, fixture.slug)).toMatch(/^ey/);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, cli, oauth.None(), renewed.refresh_token ?? '', insecure),
    );
    expect(await apps(renewed.access_token)).toBe(401);
  });

  it('TOK-5 receives codes of 256 and 34 bits, but no URL that contains a code', async () => {
    const started = await start();
    expect(started).toEqual({
      device_code: expect.stringMatching(/^parley_dc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${fixture.url}/device`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('TOK-5 is shown with its scopes, origin and time, however the code is spelled', async () => {
    const { user_code } = await start({ scope: 'agents:read handshake' });
    for (const typed of [user_code, user_code.toLowerCase(), ` ${user_code.replace('-', ' ')} `]) {
      const response = await check(typed);
      expect(response.status).toBe(200);
      const view = (await response.json()) as DeviceRequestView;
      expect(view).toMatchObject({ clientId: 'parley-cli', scopes: ['agents:read', 'handshake'] });
      expect(view.address).toMatch(/127\.0\.0\.1|::1/);
      expect(Math.abs(Date.parse(view.createdAt) - Date.now())).toBeLessThan(60_000);
    }
  });

  it('TOK-5 receives slow_down if it polls too soon', async () => {
    const { device_code } = await start();
    expect(await errorOf(await redeem(device_code))).toBe('authorization_pending');
    expect(await errorOf(await redeem(device_code))).toBe('slow_down');
  });

  it('TOK-5 receives an error if it is denied, and remains denied', async () => {
    const { device_code, user_code } = await start();
    expect((await decide(user_code, false)).status).toBe(204);
    expect((await decide(user_code, true)).status).toBe(404);
    expect(await errorOf(await redeem(device_code))).toBe('access_denied');
  });

  it('TOK-5 receives its tokens once, even for concurrent requests', async () => {
    const { device_code, user_code } = await start();
    await decide(user_code, true);
    const responses = await Promise.all(Array.from({ length: 10 }, () => redeem(device_code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await errorOf(await redeem(device_code))).toBe('invalid_grant');
  });

  it('TOK-5 cannot redeem another client’s code or an unknown code', async () => {
    const app = await createApp(fixture.url, fixture.developer, 'No device');
    const { device_code, user_code } = await start();
    await decide(user_code, true);
    const form = { grant_type: deviceGrant, device_code };
    expect(await errorOf(await postForm(`${fixture.url}/api/auth/token`, form, app))).toBe('unauthorized_client');
    expect(await errorOf(await postForm(`${fixture.url}/api/auth/device`, {}, app))).toBe('unauthorized_client');
    expect(await errorOf(await redeem(device_code, { client_id: 'parley-web' }))).toBe('unauthorized_client');
    expect(await errorOf(await redeem(`parley_dc_${'A'.repeat(43)}`))).toBe('invalid_grant');
    const unknown = await redeem(device_code, { client_id: 'nobody' });
    expect([unknown.status, ((await unknown.json()) as { error: string }).error]).toEqual([401, 'invalid_client']);
    expect((await redeem(device_code)).status).toBe(200);
  });

  it('is never granted an unknown scope', async () => {
    const response = await postForm(`${fixture.url}/api/auth/device`, { ...cli, scope: 'handshake everything' });
    expect(await errorOf(response)).toBe('invalid_scope');
  });

  it('CSRF-1 AUZ-1 can be approved only by a signed-in user on our own page', async () => {
    const { user_code } = await start();
    for (const path of ['check', 'decide']) {
      const address = `${fixture.url}/api/auth/device/${path}`;
      const body = { userCode: user_code, allow: true };
      const unauthorized = await send(address, { body, cookie: ada.cookie, origin: 'https://evil.example' });
      const none = await send(address, { body, cookie: ada.cookie });
      const byToken = await send(address, { body, bearer: ada.accessToken });
      const nobody = await send(address, { body });
      expect([unauthorized.status, none.status, byToken.status, nobody.status]).toEqual([403, 403, 403, 401]);
    }
    expect((await check(user_code)).status).toBe(200);
  });

  it('TOK-5 has an unguessable code: ten wrong codes make a user wait, whatever the IP address', async () => {
    const eve = await createPerson(fixture.url, 'Eve');
    const statuses: number[] = [];
    for (let tries = 0; tries < 50; tries++) {
      const response = await send(`${fixture.url}/api/auth/device/${tries % 2 ? 'check' : 'decide'}`, {
        body: { userCode: 'BCDF-GHJK', allow: true },
        cookie: eve.cookie,
        origin: fixture.url,
        headers: { 'x-forwarded-for': `198.51.100.${tries}` },
      });
      statuses.push(response.status);
    }
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(11);
    expect(statuses.slice(-30)).toEqual(Array.from({ length: 30 }, () => 429));
    const { user_code } = await start();
    expect((await check(user_code)).status).toBe(200);
  });

  it('TOK-5 has an unguessable code: thirty wrong codes make an IP address wait, whoever the user is', async () => {
    const from = '203.0.113.1';
    const statuses: number[] = [];
    for (let people = 0; people < 5; people++) {
      const eve = await createPerson(fixture.url, 'Eve');
      for (let tries = 0; tries < 9; tries++) {
        const response = await send(`${fixture.url}/api/auth/device/${tries % 2 ? 'check' : 'decide'}`, {
          body: { userCode: 'BCDF-GHJK', allow: true },
          cookie: eve.cookie,
          origin: fixture.url,
          headers: { 'x-forwarded-for': from },
        });
        statuses.push(response.status);
      }
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual(Array.from({ length: 15 }, () => 429));
  });

  it('TOK-7 renews its tokens, and is signed out if an earlier refresh token is reused', async () => {
    const first = await signInDevice(fixture.url, ada);
    const second = (await (await refresh(first.refresh_token)).json()) as typeof first;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await apps(first.access_token), await apps(second.access_token)]).toEqual([200, 200]);
    const agentToken = await tokenFor(fixture.url, { accessToken: second.access_token }, fixture.slug);
    expect(await errorOf(await refresh(first.refresh_token))).toBe('invalid_grant');
    expect([await apps(first.access_token), await apps(second.access_token)]).toEqual([401, 401]);
    expect(await errorOf(await refresh(second.refresh_token))).toBe('invalid_grant');
    expect(await (await introspect(fixture, { token: agentToken })).json()).toEqual({ active: false });
  });

  it('can narrow the access token, but not the refresh token, by requesting fewer scopes (RFC 6749 §6)', async () => {
    const first = await signInDevice(fixture.url, ada);
    const narrowed = (await (await refresh(first.refresh_token, 'handshake')).json()) as typeof first & {
      scope: string;
    };
    expect(narrowed.scope).toBe('handshake');
    expect(await apps(narrowed.access_token)).toBe(403);
    expect(await tokenFor(fixture.url, { accessToken: narrowed.access_token }, fixture.slug)).toBeTruthy();
    for (const [from, to] of [
      ['.h.', '.hrw.'],
      ['.h.', ''],
      ['.h.', '..'],
    ] as const) {
      expect(await apps(narrowed.access_token.replace(from, to)), to).toBe(401);
    }
    expect(await errorOf(await refresh(narrowed.refresh_token, 'handshake pay'))).toBe('invalid_scope');
    const whole = (await (await refresh(narrowed.refresh_token)).json()) as typeof narrowed;
    expect(whole.scope.split(' ')).toEqual(expect.arrayContaining(['agents:read', 'agents:write', 'handshake']));
    expect(await apps(whole.access_token)).toBe(200);
  });

  it('TOK-7 completes only one of two concurrent renewals, and is signed out', async () => {
    const { refresh_token } = await signInDevice(fixture.url, ada);
    const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Record<string, string>[];
    const won = bodies.filter((body) => body.access_token);
    expect(won).toHaveLength(1);
    expect(bodies).toContainEqual(expect.objectContaining({ error: 'invalid_grant' }));
    expect(await apps(won[0]?.access_token ?? '')).toBe(401);
  });

  it('TOK-7 TOK-9 has tokens that are valid only as exact text, each for its own purpose', async () => {
    const { access_token, refresh_token } = await signInDevice(fixture.url, ada);
    const altered = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;
    for (const at of [12, 30, 35, 60]) {
      expect(await apps(altered(access_token, at)), `letter ${at}`).toBe(401);
      expect(await errorOf(await refresh(altered(refresh_token, at)))).toBe('invalid_grant');
    }
    expect(await apps(refresh_token)).toBe(401);
    expect(await apps(refresh_token.replace('_rt_', '_at_'))).toBe(401);
    expect(await errorOf(await refresh(access_token))).toBe('invalid_grant');
    expect(await errorOf(await refresh(access_token.replace('_at_', '_rt_')))).toBe('invalid_grant');
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('is listed among its user’s access tokens, and can be revoked there', async () => {
    const tokens = await signInDevice(fixture.url, ada, 'handshake');
    const session = { cookie: ada.cookie, origin: fixture.url };
    const list = await send(`${fixture.url}/api/auth/access-tokens`, session);
    const { items } = (await list.json()) as { items: AccessTokenView[] };
    expect(items[0]).toMatchObject({ kind: 'device', scopes: ['handshake'], expiresAt: expect.any(String) });
    expect(await apps(tokens.access_token)).toBe(403);
    await send(`${fixture.url}/api/auth/access-tokens/${items[0]?.id}`, { method: 'DELETE', ...session });
    expect(await apps(tokens.access_token)).toBe(401);
    expect(await errorOf(await refresh(tokens.refresh_token))).toBe('invalid_grant');
  });
});
