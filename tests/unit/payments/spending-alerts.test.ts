import { expect, test } from 'vitest';
import type { SpendingAlert } from '@/lib/payments/schema-spending';
import { alertsOf, alertText, emailedAlerts, type SpendingChange, spendingEmail } from '@/lib/payments/spending/alerts';
import { translationFor } from '@/lib/texts/sent-texts';

const monthly = { scope: 'account' as const, subject: '', period: 'month' as const, amount: 1_000, resetsAt: null };

const sentencesOf = (alerts: SpendingAlert[]): string[] =>
  emailedAlerts(alerts).map((alert) => alertText(alert, 'EUR', translationFor('en')));

async function textsOf(more: Partial<SpendingChange> & { used?: number; amount?: number }): Promise<string[]> {
  const { used = 0, amount = 100, ...rest } = more;
  const limits = [{ ...monthly, used }];
  const none = { nameOf: async () => '', isFirstAtAgent: false, isAutomatic: false, recentPayments: 0, balance: null };
  return sentencesOf(await alertsOf({ order: { amount }, limits, ...none, ...rest }));
}

test.each([
  [0, 499, []],
  [0, 500, ['You have used 50% of the limit for your account: 5.00 EUR of 10.00 EUR per month.']],
  [500, 100, []],
  [400, 399, ['50%']],
  [400, 400, ['80%']],
  [799, 201, ['100%']],
])(
  'alerts with %i of 1,000 used and an order of %i are sent once each at 50, 80 and 100 %%',
  async (used, amount, expected) => {
    const alerts = await textsOf({ used, amount });
    expect(alerts).toHaveLength(expected.length);
    for (const [at, text] of expected.entries()) expect(alerts[at]).toContain(text);
  },
);

test('the first payment to an agent and a low wallet balance are reported', async () => {
  expect(await textsOf({ isFirstAtAgent: true })).toEqual(['This is your first payment to this merchant.']);
  expect(await textsOf({ balance: 1_050 })).toEqual(['Your wallet balance is low: 9.50 EUR.']);
  for (const balance of [null, 2_000, 900, 50]) expect(await textsOf({ balance })).toEqual([]);
});

test('a spending alert contains the limited subject’s name, but its email does not', async () => {
  const limits = [{ ...monthly, scope: 'token' as const, subject: 'pat_1', used: 900 }];
  const nameOf = async ({ subject }: { subject: string }) => `Robot ${subject}`;
  const payment = { isFirstAtAgent: false, isAutomatic: true, recentPayments: 0, balance: null };
  const alerts = await alertsOf({ order: { amount: 100 }, limits, nameOf, ...payment });
  expect(alerts).toEqual([
    { kind: 'limit', percent: 100, scope: 'token', name: 'Robot pat_1', period: 'month', used: 1_000, amount: 1_000 },
    { kind: 'automatic' },
  ]);
  expect(JSON.stringify(emailedAlerts(alerts))).not.toContain('Robot');
  expect(sentencesOf(alerts)).toEqual([
    'You have used 100% of the limit for an access token: 10.00 EUR of 10.00 EUR per month.',
  ]);
});

test('a standing approval that pays again within an hour is reported immediately, unlike a single payment', async () => {
  expect(await textsOf({ isAutomatic: true, recentPayments: 0 })).toEqual([]);
  expect(await textsOf({ isAutomatic: true, recentPayments: 1 })).toEqual([
    'A standing approval has paid 2 times within an hour. If you did not ask for this, stop automatic payments.',
  ]);
});

test('the spending email is ASCII and links to the order and the limits', () => {
  const order = { id: 'ord_1', currency: 'EUR', amount: 1_898 };
  // A sentence that an earlier release wrote, and an alert.
  const alerts = ['Something.', { kind: 'low_balance' as const, left: 950 }];
  const { subject, lines } = spendingEmail(order, alerts, translationFor('en'));
  expect(subject).toBe('Spending: an order of 18.98 EUR was approved');
  expect(lines.join('\n')).toMatch(
    /^Something\.\nYour wallet balance is low: 9\.50 EUR\.\n[\x20-\x7e\n]*\/orders\/ord_1[\x20-\x7e\n]*\/settings\/payments#limits$/,
  );
});
