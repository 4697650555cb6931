import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChargedTurn,
  chargeOutcome,
  expiredOutcome,
  priceOfUnits,
} from '@/lib/payments/task-charges/charge-outcome';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { TaskState } from '@/lib/protocol/a2a/core/model';
import { PRICE_EXTENSION } from '@/lib/protocol/a2a/price-extension';

const timestamp = '2026-12-01T10:00:00.000Z';
const perTask: ChargedTurn = {
  plan: { kind: 'task', amount: 50, unit: null, per: null },
  authorized: 50,
  messageId: null,
};
const perMessage: ChargedTurn = { ...perTask, plan: { ...perTask.plan, kind: 'message' }, messageId: 'm2' };
const perPage: ChargedTurn = { ...perTask, plan: { kind: 'unit', amount: 3, unit: 'page', per: 2 }, authorized: 100 };

const asked = (messageId: string): TaskEvent => ({ type: 'message', message: { messageId, role: 'user', parts: [] } });
const status = (state: TaskState, text?: string, metadata?: object): TaskEvent => ({
  type: 'status',
  status: {
    state,
    timestamp,
    ...(text !== undefined && { message: { messageId: text, role: 'agent', parts: [{ kind: 'text', text }] } }),
  },
  ...(metadata && { metadata: { [PRICE_EXTENSION]: metadata } as never }),
});
const output: TaskEvent = {
  type: 'artifact',
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'done' }] },
  append: false,
  lastChunk: true,
};
const used = (total: unknown, unit = 'page'): TaskEvent => status('working', undefined, { unit, total });

test('a task is charged its price when it completes with output, whatever the form of the output', () => {
  const whole = { captured: 50, units: null, reason: null };
  expect(chargeOutcome(perTask, [asked('m1'), output, status('completed')])).toEqual(whole);
  expect(chargeOutcome(perTask, [asked('m1'), status('completed', 'Here')])).toEqual(whole);
  const message = { messageId: 'r', role: 'agent' as const, parts: [{ kind: 'text' as const, text: 'Hi' }] };
  expect(chargeOutcome(perTask, [asked('m1'), { type: 'reply', message, timestamp }])).toEqual(whole);
});

test('a task that failed, was rejected, was canceled before output or has no output costs nothing', () => {
  const free = (reason: string): object => ({ captured: 0, units: null, reason });
  for (const state of ['failed', 'rejected'] as const)
    expect(chargeOutcome(perTask, [asked('m1'), output, status(state)])).toEqual(free(state));
  expect(chargeOutcome(perTask, [asked('m1'), status('working'), status('canceled')])).toEqual(free('canceled'));
  expect(chargeOutcome(perTask, [asked('m1'), status('completed')])).toEqual(free('no_output'));
  expect(chargeOutcome(perTask, [asked('m1'), output, status('canceled')])).toMatchObject({ captured: 50 });
});

test('a charge is open until the work that it pays has ended', () => {
  expect(chargeOutcome(perTask, [asked('m1'), status('working')])).toBeNull();
  expect(chargeOutcome(perTask, [asked('m1'), status('input-required', 'Which one?')])).toBeNull();
  expect(chargeOutcome(perMessage, [asked('m2'), status('auth-required', 'Sign in')])).toBeNull();
  expect(chargeOutcome(perMessage, [])).toBeNull();
  expect(expiredOutcome(perTask, [asked('m1'), output])).toEqual({ captured: 0, units: null, reason: 'expired' });
  expect(expiredOutcome(perPage, [asked('m1'), used(4)])).toEqual({ captured: 6, units: 4, reason: 'expired' });
});

test('a message is charged for its own answer, of which a question is one', () => {
  const turn = [asked('m1'), output, status('input-required', 'Which?'), asked('m2'), status('working')];
  expect(chargeOutcome(perMessage, turn)).toBeNull();
  expect(chargeOutcome(perMessage, [...turn, status('completed')])).toMatchObject({ captured: 0, reason: 'no_output' });
  expect(chargeOutcome(perMessage, [...turn, status('input-required', 'And?')])).toMatchObject({ captured: 50 });
  expect(chargeOutcome({ ...perMessage, messageId: 'm1' }, turn)).toMatchObject({ captured: 50 });
});

test('units are the highest valid total, and cost at most the cap', () => {
  const end = status('completed', 'ok');
  const chargeOf = (...reports: TaskEvent[]): object | null => chargeOutcome(perPage, [asked('m1'), ...reports, end]);
  expect(chargeOf(used(4), used(4), used(2))).toEqual({ captured: 6, units: 4, reason: null });
  expect(chargeOf(used(3))).toEqual({ captured: 5, units: 3, reason: null });
  expect(chargeOf(used(1_000))).toEqual({ captured: 100, units: 1_000, reason: 'cap_reached' });
  for (const wrong of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, '4', null, [4]])
    expect(chargeOf(used(wrong))).toMatchObject({ captured: 0, reason: 'no_units' });
  expect(chargeOf(used(4, 'token'))).toMatchObject({ captured: 0, reason: 'no_units' });
  expect(chargeOutcome(perPage, [asked('m1'), end, used(4)])).toBeNull();
  expect(chargeOutcome(perPage, [asked('m1'), used(4), status('canceled')])).toMatchObject({ captured: 6 });
  expect(chargeOutcome(perPage, [asked('m1'), used(4), status('failed')])).toMatchObject({ captured: 0 });
});

test('no events make a charge capture less than nothing or more than was authorized', () => {
  const states: TaskState[] = [
    'submitted',
    'working',
    'input-required',
    'auth-required',
    'completed',
    'failed',
    'canceled',
  ];
  const event = fc.oneof(
    fc.constant(output),
    fc.constantFrom('m1', 'm2').map(asked),
    fc
      .tuple(fc.constantFrom(...states), fc.option(fc.string(), { nil: undefined }))
      .map(([state, text]) => status(state, text)),
    fc.oneof(fc.maxSafeNat(), fc.double(), fc.integer()).map((total) => used(total)),
  );
  fc.assert(
    fc.property(fc.constantFrom(perTask, perMessage, perPage), fc.array(event, { maxLength: 12 }), (charge, events) => {
      for (const outcome of [chargeOutcome(charge, events), expiredOutcome(charge, events)]) {
        if (!outcome) continue;
        expect(outcome.captured).toBeGreaterThanOrEqual(0);
        expect(outcome.captured).toBeLessThanOrEqual(charge.authorized);
      }
    }),
  );
});

test('the price of units is rounded up to the next minor unit', () => {
  expect(priceOfUnits({ amount: 1, per: 1_000 }, 1)).toBe(1n);
  expect(priceOfUnits({ amount: 1, per: 1_000 }, 1_001)).toBe(2n);
  expect(priceOfUnits({ amount: 100_000_000, per: 1 }, Number.MAX_SAFE_INTEGER)).toBe(900_719_925_474_099_100_000_000n);
});
