import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureLocalUser } from '@/lib/identity';
import { publish, startBus, stopBus } from '@/lib/platform/bus';
import type { Actor, Ctx, UserActor } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { newId } from '@/lib/platform/ids';
import {
  decideDeviceRequest,
  findAccessTokenActor,
  redeemDeviceCode,
  refreshAccessToken,
  revokeDeviceTokens,
  startDeviceSignIn,
} from '@/lib/tokens';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

const cli: Actor = { kind: 'public-client', clientId: 'parley-cli' };
const start = new Date();
const address = '127.0.0.1';
let ada: UserActor;

beforeAll(async () => {
  await fileDatabase();
  await startBus();
  ada = await person('Ada');
});

afterAll(async () => {
  await stopBus();
  await closePool();
});

async function person(name: string): Promise<UserActor> {
  const email = `${newId('usr')}@parley.test`;
  const { userId } = await ensureLocalUser({ email, password: 'correct horse battery', name, now: start });
  const id = newId('ses');
  const expires = new Date(start.getTime() + 30 * 86_400_000);
  await query('test-session', 'INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $1, $2, $3)', [
    id,
    userId,
    expires,
  ]);
  return { kind: 'user', userId, email, name, credential: { kind: 'session', id } };
}

/** The context this many seconds after the start. */
function at(seconds: number, actor = cli): Ctx {
  const now = new Date(start.getTime() + seconds * 1000);
  return { actor, requestId: 'req_test', signal: new AbortController().signal, now };
}

async function startDeviceFlow(): Promise<{ code: string; userCode: string }> {
  const input = { address, userAgent: 'test\u001b[31m\r\nx' };
  const { device_code: code, user_code: userCode } = await startDeviceSignIn({ ctx: at(0), input });
  return { code, userCode };
}

/** The response to a device this many seconds after it started. */
async function poll(deviceCode: string, seconds: number): Promise<string> {
  return redeemDeviceCode({ ctx: at(seconds), input: { deviceCode } }).then(
    () => 'tokens',
    (error: { code: string }) => error.code,
  );
}

describe('a device code', () => {
  it('TOK-5 can be polled every five seconds, and each early poll adds five seconds', async () => {
    const { code } = await startDeviceFlow();
    const responses = [];
    for (const seconds of [0, 5, 10, 11, 16, 26, 41, 45, 60]) responses.push(await poll(code, seconds));
    const [pending, slow] = ['authorization_pending', 'slow_down'];
    expect(responses).toEqual([pending, pending, pending, slow, slow, slow, slow, slow, slow]);
  });

  it('REV-2 is invalid once the user signs out all devices, if it was approved but not redeemed', async () => {
    const { code, userCode } = await startDeviceFlow();
    await decideDeviceRequest({ ctx: at(1, ada), input: { userCode, allow: true, address } });
    await revokeDeviceTokens({ ctx: at(2, ada) });
    expect(await poll(code, 5)).toBe('access_denied');
  });

  it('TOK-5 expires after ten minutes, even if it was approved', async () => {
    const [late, unused] = [await startDeviceFlow(), await startDeviceFlow()];
    const allow = (ctx: Ctx) => decideDeviceRequest({ ctx, input: { userCode: late.userCode, allow: true, address } });
    expect(await poll(unused.code, 601)).toBe('expired_token');
    await expect(
      decideDeviceRequest({ ctx: at(601, ada), input: { userCode: unused.userCode, allow: true, address } }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await allow(at(599, ada));
    expect(await poll(late.code, 601)).toBe('expired_token');
    expect(await poll(late.code, 600 - 1)).toBe('tokens');
  });

  it('LOG-1 stores only the printable part of a program’s name', async () => {
    await startDeviceFlow();
    const rows = await query<{ userAgent: string }>(
      'test-agents',
      'SELECT DISTINCT user_agent AS "userAgent" FROM device_code',
    );
    expect(rows).toEqual([{ userAgent: 'test[31mx' }]);
  });
});

describe('a device’s tokens', () => {
  async function signIn(by = ada): Promise<{ access: string; refresh: string }> {
    const { code, userCode } = await startDeviceFlow();
    await decideDeviceRequest({ ctx: at(1, by), input: { userCode, allow: true, address } });
    const tokens = await redeemDeviceCode({ ctx: at(2), input: { deviceCode: code } });
    return { access: tokens.access_token, refresh: tokens.refresh_token ?? '' };
  }

  const refresh = (token: string, seconds: number) =>
    refreshAccessToken({ ctx: at(seconds), input: { refreshToken: token } });

  it('TOK-7 include an access token that lasts an hour, and can be renewed for ninety days in total', async () => {
    const { access, refresh: first } = await signIn();
    expect(await findAccessTokenActor(access, at(3_601).now)).toMatchObject({ userId: ada.userId });
    expect(await findAccessTokenActor(access, at(3_603).now)).toBeNull();
    const day = 86_400;
    const renewed = await refresh(first, 89 * day);
    expect(await findAccessTokenActor(renewed.access_token, at(89 * day).now)).toMatchObject({ userId: ada.userId });
    await expect(refresh(renewed.refresh_token ?? '', 90 * day + 3)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await findAccessTokenActor(renewed.access_token, at(90 * day + 3).now)).toBeNull();
  });

  it('REV-2 are invalid while their user is suspended', async () => {
    const sue = await person('Sue');
    const tokens = await signIn(sue);
    await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [sue.userId]);
    await publish('user', sue.userId);
    expect(await findAccessTokenActor(tokens.access, at(3).now)).toBeNull();
    await expect(refresh(tokens.refresh, 3)).rejects.toMatchObject({ code: 'invalid_grant' });
  });
});
