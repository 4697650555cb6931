import type Stripe from 'stripe';

/** Bank accounts by number, and how their payouts end. Those of Stripe's documentation. */
export const banks = {
  '000123456789': null,
  '000111111116': { code: 'no_account', message: 'The bank account details on file are probably incorrect.' },
  '000111111113': { code: 'account_closed', message: 'The bank account has been closed.' },
  '000222222227': {
    code: 'insufficient_funds',
    message: 'Your Stripe account has insufficient funds to cover the payout.',
  },
  '000333333335': {
    code: 'debit_not_authorized',
    message: 'Debit transactions are not approved on your bank account.',
  },
  '000444444440': {
    code: 'invalid_currency',
    message: 'The bank was unable to process this payout because of its currency.',
  },
} as const;
export type BankNumber = keyof typeof banks;

export type Status = 'active' | 'pending' | 'restricted';

/** A connected account of Accounts v2, as far as payouts need it. */
export interface Account {
  id: string;
  object: 'v2.core.account';
  applied_configurations: string[];
  configuration: {
    recipient: {
      applied: true;
      capabilities: { stripe_balance: { payouts: { status: Status }; stripe_transfers: { status: Status } } };
    };
  };
  contact_email: string | null;
  created: string;
  dashboard: string;
  defaults: object;
  livemode: false;
  metadata: Record<string, string>;
  requirements: { entries: Requirement[] };
  /** Not in responses. */
  bank: BankNumber | null;
  schedule: string;
}

export interface Requirement {
  awaiting_action_from: 'user' | 'stripe';
  description: string;
  errors: object[];
  impact: object;
  minimum_deadline: { status: 'currently_due' | 'eventually_due' | 'past_due' };
  requested_reasons: object[];
}

/** A payout with its connected account. */
export type BankPayout = Stripe.Payout & { account: string };

export type ThinEvent = {
  id: string;
  object: 'v2.core.event';
  type: string;
  livemode: false;
  created: string;
  related_object: { id: string; type: 'v2.core.account'; url: string };
};

export type AnyEvent = Stripe.Event | ThinEvent;
