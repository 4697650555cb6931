import { describe, expect, test } from 'vitest';
import { type AcceptanceFacts, acceptanceStateOf, closedReasonsOf } from '@/lib/payments/acceptance/acceptance-rules';
import { acceptByOf, untilAccepted } from '@/lib/payments/earnings/hold-rules';
import type { AcceptanceState } from '@/lib/payments/schema-disputes';
import { acceptanceTermsSchema } from '@/lib/protocol/ap2/schema-offer';

const at = new Date('2026-11-20T12:00:00Z');
const inDays = (days: number): Date => new Date(at.getTime() + days * 86_400_000);
const terms = { deliverable: 'A chart', check: 'It has bars', days: 3 };

const facts: AcceptanceFacts = {
  acceptBy: inDays(3),
  acceptedAt: null,
  gross: 1_000,
  refunded: 0,
  disputeId: null,
  isDisputeOver: false,
};

describe('the state of an acceptance', () => {
  test.each<[string, Partial<AcceptanceFacts> & { days: number }, AcceptanceState]>([
    ['awaits an answer', { days: 1 }, 'awaiting'],
    ['awaits an answer after a part was refunded', { refunded: 999, days: 1 }, 'awaiting'],
    ['is accepted by itself at the stated time', { days: 3 }, 'accepted_by_itself'],
    ['is not accepted by itself a moment earlier', { days: 3 - 1 / 86_400_000 }, 'awaiting'],
    ['is accepted by the buyer', { acceptedAt: inDays(1), days: 2 }, 'accepted'],
    ['stays accepted by the buyer after the time', { acceptedAt: inDays(1), days: 9 }, 'accepted'],
    ['stays accepted if all is refunded later', { acceptedAt: inDays(1), refunded: 1_000, days: 2 }, 'accepted'],
    [
      'stays accepted if it is disputed for another reason',
      { acceptedAt: inDays(1), disputeId: 'dsp_1', days: 2 },
      'accepted',
    ],
    ['is disputed instead', { disputeId: 'dsp_1', days: 1 }, 'disputed'],
    ['stays disputed after the time', { disputeId: 'dsp_1', days: 9 }, 'disputed'],
    ['is settled by the result of a dispute', { disputeId: 'dsp_1', isDisputeOver: true, days: 9 }, 'settled'],
    [
      'is settled also by a dispute that refunds all',
      { disputeId: 'd', isDisputeOver: true, refunded: 1_000, days: 1 },
      'settled',
    ],
    ['has nothing to accept once all is refunded', { refunded: 1_000, days: 1 }, 'refunded'],
  ])('%s', (_name, { days, ...change }, state) => {
    expect(acceptanceStateOf({ ...facts, ...change }, inDays(days))).toBe(state);
  });

  test('decides which reasons contradict it', () => {
    expect(closedReasonsOf('awaiting')).toEqual([]);
    expect(closedReasonsOf('accepted')).toEqual(['not_as_agreed', 'not_delivered']);
    expect(closedReasonsOf('accepted_by_itself')).toEqual(['not_as_agreed']);
  });
});

describe('the hold of a sale with acceptance terms', () => {
  const refundWindow = { hold: 'refund_window' as const, availableAt: inDays(2) };

  test('ends when the result is accepted by itself', () => {
    expect(acceptByOf(terms, at)).toEqual(inDays(3));
    expect(untilAccepted(refundWindow, inDays(3))).toEqual({ hold: 'acceptance', availableAt: inDays(3) });
  });

  test('is the longer one, and the one without terms at the same time', () => {
    expect(untilAccepted(refundWindow, inDays(1))).toBe(refundWindow);
    expect(untilAccepted(refundWindow, inDays(2))).toBe(refundWindow);
    expect(untilAccepted(refundWindow, null)).toBe(refundWindow);
  });
});

describe('acceptance terms', () => {
  test('are plain text, trimmed, with lines', () => {
    const written = { ...terms, deliverable: '  A chart\n<b>and</b> a table ' };
    expect(acceptanceTermsSchema.parse(written).deliverable).toBe('A chart\n<b>and</b> a table');
  });

  test.each([
    ['no text', { deliverable: '   ' }],
    ['too much text', { check: 'x'.repeat(501) }],
    ['a control character', { check: 'bars\u0000' }],
    ['half of a surrogate pair', { check: '\ud800' }],
    ['no day', { days: 0 }],
    ['too many days', { days: 15 }],
    ['a part of a day', { days: 1.5 }],
    ['days as text', { days: '3' }],
    ['an unknown member', { penalty: 1 }],
  ])('do not have %s', (_name, change) => {
    expect(acceptanceTermsSchema.safeParse({ ...terms, ...change }).success).toBe(false);
  });
});
