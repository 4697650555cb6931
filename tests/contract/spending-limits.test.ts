import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitChange, LimitReview, SpendingLimitView, SpendingView } from '@/lib/payments/schema-spending';
import type { Authenticator } from '../fakes/authenticator';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person, send } from '../support/fixtures';
import {
  addPasskey,
  ageSignIns,
  approve,
  ask,
  createPaymentsFixture,
  offerOf,
  type PaymentsFixture,
  review,
} from './payments-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

async function newBuyer(name = 'Bea'): Promise<{ client: ChatClient; person: Person }> {
  const person = await createPerson(fixture.url, name);
  return { client: new ChatClient(fixture.url, person), person };
}

const monthly: LimitChange = { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount: 2_000 };

type Refusal = { code: string; title: string };

function setLimit(
  client: ChatClient,
  change: object,
): ReturnType<typeof ask<SpendingView & Refusal & { faults?: object[] }>> {
  return ask(client, '/api/spending/limits', { method: 'PUT', body: change });
}

async function limitOf(
  client: ChatClient,
  { scope, period }: Pick<LimitChange, 'scope' | 'period'>,
): Promise<SpendingLimitView | undefined> {
  const { body } = await ask<SpendingView>(client, '/api/spending');
  return body.limits.find((limit) => limit.scope === scope && limit.period === period && limit.currency === 'EUR');
}

/** Confirms a change with a passkey. */
async function confirm(client: ChatClient, key: Authenticator, change: LimitChange): Promise<object> {
  const { body } = await ask<LimitReview>(client, '/api/spending/limits/review', { body: change });
  // A synced passkey has no counter that would reveal a replay.
  return key.assert({ challenge: String(body.passkey?.challenge) }, { counter: 0 });
}

describe('a spending limit', () => {
  test('can be set, shows the remaining amount, and rejects an order beyond it, with the required action', async () => {
    const { client } = await newBuyer();
    const first = await offerOf(fixture, { client });
    expect((await setLimit(client, { ...monthly, amount: 3_000 })).status).toBe(200);
    expect((await approve(client, (await review(client, first.id)).body)).status).toBe(200);
    expect(await limitOf(client, monthly)).toMatchObject({ amount: 3_000, used: 1_898, left: 1_102, isDefault: false });
    const second = await offerOf(fixture, { client });
    const refused = await approve(client, (await review(client, second.id)).body);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        code: 'spending_limit_exceeded',
        title: expect.stringMatching(
          /^The spending limit for your account is 30\.00 EUR per month\. 11\.02 EUR is left, and this order costs 18\.98 EUR\. It resets at 20.+Z\. Change it at .+\/settings\/payments#limits\.$/,
        ),
        limit: { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount: 3_000 },
        used: 1_898,
        left: 1_102,
      },
    ]);
    expect(await limitOf(client, monthly)).toMatchObject({ used: 1_898 });
    expect((await setLimit(client, { ...monthly, amount: 4_000 })).status).toBe(200);
    expect((await approve(client, (await review(client, second.id)).body)).status).toBe(200);
  });

  test('applies by default to an access token, which can read the limits but not change them', async () => {
    const { client, person } = await newBuyer();
    const session = { cookie: person.cookie, origin: fixture.url };
    const created = await send(`${fixture.url}/api/auth/access-tokens`, {
      ...session,
      body: { name: 'CI', scopes: ['pay'] },
    });
    const { token: bearer, id } = (await created.json()) as { token: string; id: string };
    expect(await limitOf(client, { scope: 'token', period: 'order' })).toMatchObject({
      subject: id,
      name: 'CI',
      amount: 5_000,
      isDefault: true,
    });
    expect((await send(`${fixture.url}/api/spending`, { bearer })).status).toBe(200);
    for (const [method, path, body] of [
      ['PUT', 'limits', { ...monthly, amount: null }],
      ['POST', 'limits/review', monthly],
      ['PUT', 'time-zone', { timeZone: 'Asia/Tokyo' }],
    ] as const) {
      const refused = await send(`${fixture.url}/api/spending/${path}`, { bearer, method, body });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test('is reported as missing if it is for a missing token or another user’s token', async () => {
    const { client, person } = await newBuyer();
    const { client: other } = await newBuyer('Otto');
    const session = { cookie: person.cookie, origin: fixture.url };
    const created = await send(`${fixture.url}/api/auth/access-tokens`, {
      ...session,
      body: { name: 'CI', scopes: ['pay'] },
    });
    const { id } = (await created.json()) as { id: string };
    const change = { scope: 'token', subject: id, period: 'day', currency: 'EUR', amount: 1 };
    const ofAnother = await setLimit(other, change);
    const unknown = await setLimit(other, { ...change, subject: 'pat_none' });
    expect([ofAnother.status, ofAnother.body.title]).toEqual([unknown.status, unknown.body.title]);
    expect(ofAnother.status).toBe(404);
    expect((await setLimit(client, change)).status).toBe(200);
    expect((await ask<SpendingView>(other, '/api/spending')).body.limits).not.toContainEqual(
      expect.objectContaining({ subject: id }),
    );
  });

  test.each<[string, object]>([
    ['a fraction', { amount: 10.5 }],
    ['a negative amount', { amount: -1 }],
    ['a text', { amount: '100' }],
    ['an unknown scope', { scope: 'team' }],
    ['a period that the scope does not have', { period: 'total' }],
    ['a currency in lower case', { currency: 'eur' }],
    ['NUL in its subject', { scope: 'token', subject: 'pat_\0' }],
  ])('is rejected with %s', async (_what, flaw) => {
    const { client } = await newBuyer();
    expect((await setLimit(client, { ...monthly, ...flaw })).status).toBe(400);
  });
});

describe('a limit increase', () => {
  test('requires a recent sign-in from a user without a passkey, unlike a reduction', async () => {
    const { client, person } = await newBuyer();
    await ageSignIns(person);
    expect((await setLimit(client, monthly)).status).toBe(200);
    expect((await setLimit(client, { ...monthly, amount: 1_000 })).status).toBe(200);
    for (const amount of [1_001, null, 'default']) {
      const refused = await setLimit(client, { ...monthly, amount });
      expect([amount, refused.status, refused.body.code]).toEqual([amount, 403, 'sign_in_again']);
    }
    expect(await limitOf(client, monthly)).toMatchObject({ amount: 1_000 });
  });

  test('requires the user’s passkey if there is one, for exactly this change and once', async () => {
    const { client } = await newBuyer();
    const key = await addPasskey(client, fixture.url, { counter: 0 });
    expect((await setLimit(client, monthly)).status).toBe(200);
    const raised: LimitChange = { ...monthly, amount: 5_000 };
    expect((await setLimit(client, raised)).body.code).toBe('passkey_required');
    const assertion = await confirm(client, key, raised);
    const widened = await setLimit(client, { ...raised, amount: 5_001, assertion });
    expect([widened.status, widened.body.code]).toEqual([403, 'passkey_refused']);
    expect((await setLimit(client, { ...raised, assertion })).status).toBe(200);
    expect((await setLimit(client, { ...monthly, amount: 1_000 })).status).toBe(200);
    for (const isReviewed of [false, true]) {
      if (isReviewed) await confirm(client, key, raised);
      const replayed = await setLimit(client, { ...raised, assertion });
      expect([replayed.status, replayed.body.code]).toEqual([403, 'passkey_refused']);
    }
    expect(await limitOf(client, monthly)).toMatchObject({ amount: 1_000 });
  });
});

describe('the user’s time zone', () => {
  test('changes only with the same checks as a limit increase, because it moves the limits’ days and months', async () => {
    const { client } = await newBuyer();
    const set = (timeZone: string, assertion?: object) =>
      ask<SpendingView & Refusal>(client, '/api/spending/time-zone', { method: 'PUT', body: { timeZone, assertion } });
    for (const name of ['Mars/Olympus', 'Factory', 'Europe/Berlin\0', '']) expect((await set(name)).status).toBe(400);
    expect((await set('Europe/Berlin')).body.timeZone).toBe('Europe/Berlin');
    const key = await addPasskey(client, fixture.url);
    expect((await set('Asia/Tokyo')).body.code).toBe('passkey_required');
    const { body } = await ask<LimitReview>(client, '/api/spending/time-zone/review', {
      body: { timeZone: 'Asia/Tokyo' },
    });
    const assertion = key.assert({ challenge: String(body.passkey?.challenge) });
    expect((await set('Asia/Seoul', assertion)).body.code).toBe('passkey_refused');
    expect((await set('Asia/Tokyo', assertion)).body.timeZone).toBe('Asia/Tokyo');
    const other = await newBuyer();
    await ageSignIns(other.person);
    const path = '/api/spending/time-zone';
    const aged = await ask<Refusal>(other.client, path, { method: 'PUT', body: { timeZone: 'Asia/Tokyo' } });
    expect(aged.body.code).toBe('sign_in_again');
  });
});
