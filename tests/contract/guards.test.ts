import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Guard, guards } from '@/lib/identity';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send } from '../support/fixtures';
import {
  type Answer,
  type Case,
  cases,
  challengeFor,
  type Guarded,
  make,
  makeWithPasskey,
  makeWithToken,
  newGuarded,
} from './guards-fixture';
import { ageSignIns, ask, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';

let fixture: PaymentsFixture;
/** Another account, whose passkey signs in place of this one's. */
let stranger: Guarded;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
  stranger = await newGuarded(fixture);
});

afterAll(() => fixture?.close());

const names = Object.keys(guards) as Guard[];
const counter = 0;

async function prepare(name: Guard): Promise<{ guarded: Guarded; change: Case; challenge: () => Promise<string> }> {
  const guarded = await newGuarded(fixture);
  const change = await cases[name](guarded, fixture);
  return { guarded, change, challenge: change.challenge ?? (() => challengeFor(guarded, change.call)) };
}

describe.each(names)('PAY-2 the guarded change %s in an account with a passkey', (name) => {
  test('is rejected with only a password after any sign-in, and the response names the required proof', async () => {
    const { guarded, change } = await prepare(name);
    for (const isRecent of [true, false]) {
      if (!isRecent) await ageSignIns(guarded.person);
      const { status, body } = await make(guarded, change.call);
      // A standing approval is the text that the passkey signs.
      const code = name === 'standing.create' ? 'invalid_request' : 'passkey_required';
      expect([isRecent, status >= 400, body.code]).toEqual([isRecent, true, code]);
      if (code === 'passkey_required')
        expect(body.title).toMatch(/needs one of your passkeys\. Sign .+ start a recovery/);
    }
  });

  test('is rejected with an access token, even one with every scope', async () => {
    const { guarded, change } = await prepare(name);
    const { status, body } = await makeWithToken(guarded, change.call).then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Answer,
    }));
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  test('is rejected with an assertion that is outdated or is for another change or account', async () => {
    const { guarded, change, challenge } = await prepare(name);
    const { key } = guarded;
    const own = await challenge();
    const elsewhere = await challengeFor(
      guarded,
      (await cases[name === 'token.create' ? 'account.export' : 'token.create'](guarded)).call,
    );
    const assertions: [string, object][] = [
      ['another change', key.assert({ challenge: elsewhere }, { counter })],
      ['another account', stranger.key.assert({ challenge: await challenge() }, { counter })],
    ];
    if (change.other && !change.challenge) {
      const other = await challengeFor(guarded, change.other);
      assertions.push(['other contents', key.assert({ challenge: other }, { counter })]);
    }
    for (const [what, assertion] of assertions) {
      const { status, body } = await make(guarded, change.call, assertion);
      expect([what, status, body.code]).toEqual([what, 403, 'passkey_refused']);
    }
    if (!change.challenge) await challengeFor(guarded, change.call);
    const outdated = await make(guarded, change.call, key.assert({ challenge: own }, { counter }));
    expect([outdated.status, outdated.body.code]).toEqual([403, 'passkey_refused']);
  });

  test('is accepted with a passkey, but only once', async () => {
    const { guarded, change, challenge } = await prepare(name);
    await ageSignIns(guarded.person);
    const assertion = guarded.key.assert({ challenge: await challenge() }, { counter });
    if (change.other) {
      const widened = await make(guarded, change.other, assertion);
      expect([widened.status, widened.body.code]).toEqual([403, 'passkey_refused']);
    }
    const made = await make(guarded, change.call, assertion);
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    await change.again?.();
    const replayed = await make(guarded, change.call, assertion);
    // A change that cannot be made twice is refused for that reason, or has no effect.
    if (change.again) expect([replayed.status, replayed.body.code]).toEqual([403, 'passkey_refused']);
  });
});

describe('an account without a passkey', () => {
  const bySignIn = names.filter(
    (name) =>
      guards[name].withoutPasskey === 'recent-sign-in' && name !== 'standing.resume' && name !== 'passkey.remove',
  );

  test.each(bySignIn)('requires a recent sign-in for %s', async (name) => {
    const person = await createPerson(fixture.url, 'Nora');
    const client = new ChatClient(fixture.url, person);
    const bare = { client, person, key: stranger.key, token: '' };
    const { call } = await cases[name](bare, fixture);
    await ageSignIns(person);
    const refused = await make(bare, call);
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in_again']);
    await ageSignIns(person, 0);
    expect((await make(bare, call)).status).toBeLessThan(300);
  });
});

describe('an access token', () => {
  test('can tighten guards with the scope guards:write, but never loosen them', async () => {
    const guarded = await newGuarded(fixture);
    const call = { method: 'POST', path: '/api/auth/access-tokens', body: { name: 'payer', scopes: ['pay'] } };
    const { body } = await makeWithPasskey<{ token: string }>(guarded, call);
    const limit = { scope: 'account', subject: '', period: 'month', currency: 'EUR' };
    const set = (bearer: string, path: string, change: object) =>
      send(`${fixture.url}${path}`, { method: 'PUT', bearer, body: change });
    for (const [path, tight, loose] of [
      ['/api/payments/settings', { passkeyAbove: 500 }, { passkeyAbove: null }],
      ['/api/spending/limits', { ...limit, amount: 500 }, { ...limit, amount: 501 }],
    ] as const) {
      expect([path, (await set(body.token, path, tight)).status]).toEqual([path, 403]);
      expect([path, (await set(guarded.token, path, tight)).status]).toEqual([path, 200]);
      const refused = await set(guarded.token, path, loose);
      expect([path, refused.status, ((await refused.json()) as Answer).code]).toEqual([path, 403, 'forbidden']);
    }
    expect((await ask(guarded.client, '/api/payments/settings')).body).toEqual({ passkeyAbove: 500 });
  });
});
