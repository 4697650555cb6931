import { describe, expect, it } from 'vitest';
import type { AgentRecord } from '@/lib/catalog';
import { authorize } from '@/lib/identity';
import type { Actor } from '@/lib/platform/context';
import { mayCall } from '@/lib/tokens/authorization';
import {
  isPublished,
  type KeyTimes,
  keySpecs,
  needsNewKey,
  pickSigner,
  scheduleKey,
} from '@/lib/tokens/keys/key-rules';

function agent(changes: Partial<AgentRecord>): AgentRecord {
  const team = { usr_viewer: 'viewer' as const };
  return { ownerId: 'usr_owner', team, visibility: 'public', status: 'active', ...changes } as AgentRecord;
}

describe('permission to call an agent', () => {
  it.each([
    { visibility: 'public', status: 'active', others: true, owner: true },
    { visibility: 'unlisted', status: 'active', others: true, owner: true },
    { visibility: 'private', status: 'active', others: false, owner: true },
    { visibility: 'public', status: 'deprecated', others: true, owner: true },
    { visibility: 'public', status: 'suspended', others: false, owner: false },
    { visibility: 'public', status: 'withdrawn', others: false, owner: false },
    { visibility: 'private', status: 'suspended', others: false, owner: false },
  ] as const)(
    'TOK-2 for $visibility and $status is $others for others and $owner for its team',
    ({ others, owner, ...is }) => {
      expect(mayCall('usr_other', agent(is))).toBe(others);
      expect(mayCall('usr_owner', agent(is))).toBe(owner);
      expect(mayCall('usr_viewer', agent(is))).toBe(owner);
    },
  );
});

describe('the authorization check', () => {
  const person = { kind: 'user', userId: 'usr_1', email: 'a@parley.test', name: 'A' } as const;
  const bySession: Actor = { ...person, credential: { kind: 'session', id: 'ses_1' } };
  const byToken: Actor = { ...person, credential: { kind: 'access-token', id: 'pat_1', scopes: ['handshake'] } };

  it('permits everything with a session', () => {
    expect(authorize(bySession, 'session')).toBe(bySession);
    expect(authorize(bySession, { scope: 'agents:write' })).toBe(bySession);
  });

  it('permits only the actions in its scopes with an access token', () => {
    expect(authorize(byToken, { scope: 'handshake' })).toBe(byToken);
    expect(() => authorize(byToken, { scope: 'agents:write' })).toThrow(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
    expect(() => authorize(byToken, 'session')).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(() => authorize(byToken, 'account')).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });

  it.each<Actor>([
    { kind: 'anonymous' },
    { kind: 'app', appId: 'app_1', clientId: 'app_1.x', credentialId: 'sec_1' },
    {
      kind: 'caller',
      principal: 'usr_1',
      credentialId: 'ses_1',
      agentId: 'agt_1',
      clientId: 'parley-web',
      scopes: ['agent:call'],
    },
  ])('rejects an actor of kind $kind', (actor) => {
    expect(() => authorize(actor, { scope: 'handshake' })).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('the schedule of signing keys', () => {
  const start = Date.UTC(2026, 0, 1);
  const at = (seconds: number) => new Date(start + seconds * 1000);

  /** An in-memory `addKey`. */
  function add(keys: KeyTimes[], now: Date): void {
    const { signsFrom, othersRetireAt } = scheduleKey(keys, now, keySpecs.token.retentionMs);
    for (const key of keys) if (key.retiresAt === null && key.signsFrom < signsFrom) key.retiresAt = othersRetireAt;
    keys.push({ signsFrom, retiresAt: null });
    keys.sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
  }

  it('KEY-6 lets the first key sign immediately', () => {
    const keys: KeyTimes[] = [];
    expect(needsNewKey(keys, at(0))).toBe(true);
    add(keys, at(0));
    expect(pickSigner(keys, at(0))).toBe(keys[0]);
    expect(needsNewKey(keys, at(0))).toBe(false);
  });

  it('KEY-6 lets nodes whose clocks differ by a minute agree on the first key', () => {
    const keys: KeyTimes[] = [];
    add(keys, at(60));
    expect(needsNewKey(keys, at(0))).toBe(false);
    expect(pickSigner(keys, at(0))).toBe(keys[0]);
  });

  it('KEY-6 requires a new key after 30 days, but no other key while that one waits', () => {
    const keys: KeyTimes[] = [];
    add(keys, at(0));
    const month = 30 * 86_400;
    expect(needsNewKey(keys, at(month - 61))).toBe(false);
    expect(needsNewKey(keys, at(month))).toBe(true);
    add(keys, at(month));
    expect(needsNewKey(keys, at(month + 1))).toBe(false);
  });

  it('KEY-6 keeps every token valid for a verifier that caches the JWKS for 600 s, whatever the rotations', () => {
    const keys: KeyTimes[] = [];
    const rotations = new Set([0, 50, 51, 700, 1_300, 1_301, 1_302, 1_303, 2_600, 4_000, 4_001]);
    const signed: { key: KeyTimes; at: number }[] = [];
    const sets: KeyTimes[][] = [];
    for (let second = 0; second < 6_000; second++) {
      if (rotations.has(second)) add(keys, at(second));
      sets.push(keys.filter((key) => isPublished(key, at(second))));
      const key = pickSigner(keys, at(second));
      expect(key).not.toBeNull();
      if (key) signed.push({ key, at: second });
    }
    // The token is presented until it expires, to verifiers whose key set is up to 599 s old.
    const rejected = signed.filter((token) => {
      const last = Math.min(token.at + 899, sets.length - 1);
      for (let fetched = Math.max(0, token.at - 599); fetched <= last; fetched += 7) {
        if (!sets[fetched]?.includes(token.key)) return true;
      }
      return false;
    });
    expect(rejected).toEqual([]);
    expect(new Set(signed.map(({ key }) => key)).size).toBeGreaterThan(4);
  });

  it('KEY-6 replaces a missing key immediately', () => {
    const keys: KeyTimes[] = [];
    add(keys, at(0));
    add(keys, at(100));
    keys.shift();
    expect(needsNewKey(keys, at(200))).toBe(true);
    add(keys, at(200));
    expect(pickSigner(keys, at(200))).not.toBeNull();
    expect(pickSigner(keys, at(5_000))).not.toBeNull();
  });
});
