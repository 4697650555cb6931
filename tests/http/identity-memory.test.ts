import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  endSession,
  ensureLocalUser,
  findActiveSession,
  findSessionActor,
  findUser,
  signInWithPassword,
} from '@/lib/identity';
import { publish, startBus, stopBus } from '@/lib/platform/bus';
import type { Ctx, UserActor } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { sha256 } from '@/lib/platform/secrets/crypto';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

const day = 86_400_000;
const start = new Date('2030-01-01T00:00:00Z');
const person = { email: 'ada@example.test', password: 'correct horse battery' };

beforeAll(async () => {
  await fileDatabase();
  await startBus();
  await ensureLocalUser({ ...person, name: 'Ada', now: start });
});
afterAll(async () => {
  await stopBus();
  await closePool();
});

function later(days: number): Date {
  return new Date(start.getTime() + days * day);
}

function ctxOf(actor: Ctx['actor'], now = start): Ctx {
  return { actor, requestId: 'req_test', signal: new AbortController().signal, now };
}

/** A new session: its cookie, and its user as found by it. */
async function signIn(): Promise<{ cookie: string; ada: UserActor }> {
  const place = { address: '203.0.113.1', userAgent: 'test', locale: null };
  const { token } = await signInWithPassword({
    ctx: ctxOf({ kind: 'anonymous' }),
    input: { ...person, client: place },
  });
  const ada = await findSessionActor(token, start);
  if (!ada) throw new Error('the session that was just made is unknown');
  return { cookie: token, ada };
}

async function lastSeen(id: string): Promise<Date | undefined> {
  const rows = await query<{ at: Date }>('test-seen', 'SELECT last_seen_at AS at FROM session WHERE id = $1', [id]);
  return rows[0]?.at;
}

test('a session is served from cache until an event reports its end', async () => {
  // Nothing is cached while the connection for notifications is late, and the sign-in itself sends a notification.
  const servedAfterDelete = async (): Promise<string | null> => {
    const { cookie, ada } = await signIn();
    await query('test-delete', 'DELETE FROM session WHERE id = $1', [ada.credential.id]);
    return (await findSessionActor(cookie, start)) && cookie;
  };
  const cookie = await vi.waitUntil(servedAfterDelete, { timeout: 30_000 });
  await publish('credential', sha256(cookie));
  expect(await findSessionActor(cookie, start)).toBeNull();
});

test('SES-1: a session that this node has cached as idle is extended when it is used on another node', async () => {
  const { cookie, ada } = await signIn();
  await query('test-elsewhere', 'UPDATE session SET last_seen_at = $2 WHERE id = $1', [ada.credential.id, later(10)]);
  expect(await findSessionActor(cookie, later(15))).not.toBeNull();
  expect(await findActiveSession(ada.credential.id, later(15))).toEqual({ userId: ada.userId });
});

test('SES-1: a session ends after 14 days without use, and after 30 days even with use', async () => {
  const idle = await signIn();
  const used = await signIn();
  for (let days = 1; days < 30; days++) expect(await findSessionActor(used.cookie, later(days))).not.toBeNull();
  expect(await findSessionActor(used.cookie, later(30))).toBeNull();
  expect(await findSessionActor(idle.cookie, later(14))).toBeNull();
  expect(await findActiveSession(idle.ada.credential.id, later(14))).toBeNull();
});

test('a session’s use is stored at most every five minutes', async () => {
  const { cookie, ada } = await signIn();
  const { id } = ada.credential;
  const minutes = (count: number): Date => new Date(start.getTime() + count * 60_000);
  await findSessionActor(cookie, minutes(4));
  await findSessionActor(cookie, minutes(6));
  await expect.poll(() => lastSeen(id)).toEqual(minutes(6));
  await findSessionActor(cookie, minutes(10));
  await findSessionActor(cookie, minutes(11));
  await expect.poll(() => lastSeen(id)).toEqual(minutes(11));
});

test('credentials end with the session, and when the user is suspended', async () => {
  const { ada } = await signIn();
  const { id } = ada.credential;
  expect(await findActiveSession(id, start)).toEqual({ userId: ada.userId });
  await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [ada.userId]);
  await publish('user', ada.userId);
  expect(await findActiveSession(id, start)).toBeNull();
  expect(await findUser(ada.userId)).toMatchObject({ suspended: true });
  await query('test-pardon', 'UPDATE "user" SET suspended_at = NULL WHERE id = $1', [ada.userId]);
  await publish('user', ada.userId);
  expect(await findActiveSession(id, start)).toEqual({ userId: ada.userId });
  await endSession({ ctx: ctxOf(ada), input: { id } });
  expect(await findActiveSession(id, start)).toBeNull();
});

test('an invalid cookie is treated as anonymous, without a database query', async () => {
  for (const cookie of ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, "' OR 1=1 --".padEnd(43, 'x')]) {
    expect(await findSessionActor(cookie, start)).toBeNull();
  }
});

test('the demo user is created once, however many servers start, and receives each new password', async () => {
  const demo = { email: 'demo@example.test', name: 'Demo', now: start };
  const made = await Promise.all([1, 2, 3].map(() => ensureLocalUser({ ...demo, password: 'the first password' })));
  expect(new Set(made.map(({ userId }) => userId)).size).toBe(1);
  const place = { address: '203.0.113.2', userAgent: '', locale: null };
  const signInWith = (password: string): Promise<unknown> =>
    signInWithPassword({ ctx: ctxOf({ kind: 'anonymous' }), input: { email: demo.email, password, client: place } });
  await signInWith('the first password');
  expect(await ensureLocalUser({ ...demo, password: 'the second password' })).toEqual(made[0]);
  await signInWith('the second password');
  await expect(signInWith('the first password')).rejects.toMatchObject({ code: 'unauthenticated' });
});
