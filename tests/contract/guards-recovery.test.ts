import { beforeAll, describe, expect, test } from 'vitest';
import { completeRecoveries } from '@/lib/identity';
import { db } from '@/lib/platform/db/db';
import { env } from '@/lib/platform/runtime/env';
import { send } from '../support/fixtures';
import { sharedParley } from '../support/shared-parley';
import {
  type Answer,
  cases,
  type Guarded,
  mailedTo,
  make,
  makeWithPasskey,
  newGuarded,
  undo,
  undoTokenIn,
} from './guards-fixture';
import { ageSignIns, ask } from './payments-fixture';

const day = 86_400_000;
let url: string;
let dataDir: string;

beforeAll(async () => {
  ({ url, dataDir } = await sharedParley());
  // Emails that this process sends later use the outbox of the node.
  Object.assign(env(), { DATA_DIR: dataDir });
});

function request({ client }: Guarded): ReturnType<typeof ask<Answer & { dueAt: string }>> {
  return ask(client, '/api/auth/recovery', { method: 'POST' });
}

async function passkeysOf({ person: { userId } }: Guarded): Promise<string[]> {
  return (await db().passkey.findMany({ where: { userId } })).map(({ id }) => id);
}

describe('recovery from lost passkeys', () => {
  test('requires a recent sign-in and an existing passkey, and cannot be requested with a token', async () => {
    const guarded = await newGuarded({ url });
    await ageSignIns(guarded.person);
    const refused = await request(guarded);
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in_again']);
    const byToken = await send(`${url}/api/auth/recovery`, { method: 'POST', bearer: guarded.token });
    expect(byToken.status).toBe(403);
    await ageSignIns(guarded.person, 0);
    const { call } = await cases['passkey.remove'](guarded);
    await makeWithPasskey(guarded, call);
    expect((await request(guarded)).body.code).toBe('conflict');
  });

  test('removes only the passkeys, after 24 hours', async () => {
    const guarded = await newGuarded({ url });
    const { userId } = guarded.person;
    await make(guarded, { method: 'PUT', path: '/api/payments/settings', body: { passkeyAbove: 1_000 } });
    const requestedAt = Date.now();
    const { dueAt } = (await request(guarded)).body;
    const due = Date.parse(dueAt);
    expect(due - requestedAt).toBeGreaterThanOrEqual(day);
    // Another request does not postpone it.
    expect((await request(guarded)).body.dueAt).toBe(dueAt);
    const call = { method: 'PUT', path: '/api/payments/settings', body: { passkeyAbove: null } };
    await completeRecoveries(new Date(due - 1));
    expect((await make(guarded, call)).body.code).toBe('passkey_required');
    const before = await db().user.findUniqueOrThrow({ where: { id: userId } });
    await Promise.all([completeRecoveries(new Date(due)), completeRecoveries(new Date(due))]);
    expect(await passkeysOf(guarded)).toEqual([]);
    expect(await db().user.findUniqueOrThrow({ where: { id: userId } })).toEqual(before);
    expect(await db().paymentSetting.findUnique({ where: { userId } })).toMatchObject({ passkeyAbove: 1_000n });
    expect((await ask(guarded.client, '/api/auth/sessions')).status).toBe(200);
    expect((await make(guarded, call)).status).toBe(200);
  });

  test('can be canceled with a passkey, after which the link in its email is invalid', async () => {
    const guarded = await newGuarded({ url });
    const { dueAt } = (await request(guarded)).body;
    const mail = await mailedTo(dataDir, guarded, /A recovery of your Parley account was requested/);
    expect(mail).toContain(`All passkeys will be removed at ${dueAt.slice(0, 16).replace('T', ' ')} UTC.`);
    expect((await makeWithPasskey(guarded, { method: 'DELETE', path: '/api/auth/recovery', body: {} })).status).toBe(
      204,
    );
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(404);
    await completeRecoveries(new Date(Date.now() + 2 * day));
    expect(await passkeysOf(guarded)).toEqual([guarded.key.id]);
  });

  test('can be canceled by the link in its email, which signs out the session that requested it', async () => {
    const guarded = await newGuarded({ url });
    await request(guarded);
    const mail = await mailedTo(dataDir, guarded, /A recovery of your Parley account was requested/);
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(204);
    expect((await ask(guarded.client, '/api/auth/sessions')).status).toBe(401);
    await completeRecoveries(new Date(Date.now() + 2 * day));
    expect(await passkeysOf(guarded)).toEqual([guarded.key.id]);
  });

  test('can be undone after it took effect, by the link in its email', async () => {
    const guarded = await newGuarded({ url });
    await request(guarded);
    // In the past, so that the link is as old as the email.
    await db().passkeyRecovery.update({ where: { userId: guarded.person.userId }, data: { dueAt: new Date() } });
    await completeRecoveries(new Date());
    expect(await passkeysOf(guarded)).toEqual([]);
    const mail = await mailedTo(dataDir, guarded, /The passkeys of your Parley account were removed/);
    expect((await undo(guarded, undoTokenIn(mail))).status).toBe(204);
    expect(await passkeysOf(guarded)).toEqual([guarded.key.id]);
  });
});
