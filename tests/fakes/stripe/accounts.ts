import { type Account, type BankNumber, banks, type Requirement, type Status } from './objects';
import { invalid, metadataOf, objectOf, type Params, textOf } from './params';
import { found, newStripeId, type State } from './state';

const firstRequirements = [
  'identity.individual.given_name',
  'identity.individual.date_of_birth',
  'identity.individual.address.line1',
  'identity.attestations.terms_of_service.account',
  'external_account',
];

function due(description: string, status: Requirement['minimum_deadline']['status'] = 'currently_due'): Requirement {
  const minimum_deadline = { status };
  return { awaiting_action_from: 'user', description, errors: [], impact: {}, minimum_deadline, requested_reasons: [] };
}

export function createAccount(state: State, params: Params): object {
  const responsibilities = objectOf(objectOf(params, 'defaults'), 'responsibilities');
  if (textOf(params, 'contact_email') === null) {
    throw invalid('A contact email is required for recipients.', 'parameter_missing', 'contact_email');
  }
  for (const name of ['fees_collector', 'losses_collector']) {
    if (textOf(responsibilities, name) === null) throw invalid(`Missing ${name}.`, 'parameter_missing', name);
  }
  const status = { status: 'restricted' as Status };
  const account: Account = {
    id: newStripeId('acct'),
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    configuration: {
      recipient: {
        applied: true,
        capabilities: { stripe_balance: { payouts: { ...status }, stripe_transfers: { ...status } } },
      },
    },
    contact_email: textOf(params, 'contact_email'),
    created: new Date(state.now() * 1_000).toISOString(),
    dashboard: textOf(params, 'dashboard') ?? 'none',
    defaults: objectOf(params, 'defaults'),
    livemode: false,
    metadata: metadataOf(params),
    requirements: { entries: firstRequirements.map((name) => due(name)) },
    bank: null,
    schedule: 'daily',
  };
  state.accounts.set(account.id, account);
  return visible(account);
}

/** What Stripe's API shows of an account. */
export function visible({ bank: _, schedule: __, ...account }: Account): object {
  return account;
}

/** Sets the payout schedule of a connected account. */
export function changeSettings(state: State, owner: string, params: Params): object {
  const account = found(state.accounts, owner, 'account');
  const schedule = objectOf(objectOf(objectOf(params, 'payments'), 'payouts'), 'schedule');
  account.schedule = textOf(schedule, 'interval') ?? account.schedule;
  const payouts = { schedule: { interval: account.schedule }, status: 'enabled', statement_descriptor: null };
  return { object: 'balance_settings', payments: { payouts, debit_negative_balances: false } };
}

export function createAccountLink(state: State, params: Params, base: string): object {
  const account = found(state.accounts, textOf(params, 'account') ?? '', 'account');
  const pages = objectOf(objectOf(params, 'use_case'), 'account_onboarding');
  const secret = newStripeId('link');
  state.links.set(secret, {
    accountId: account.id,
    returnUrl: textOf(pages, 'return_url') ?? '/',
    refreshUrl: textOf(pages, 'refresh_url') ?? '/',
  });
  const expires = new Date((state.now() + 300) * 1_000).toISOString();
  return {
    object: 'v2.core.account_link',
    account: account.id,
    url: `${base}/onboarding/${secret}`,
    expires_at: expires,
  };
}

/** The hosted onboarding page: shows the form, or ends with a bank account. A link opens once. */
export function onboard(state: State, secret: string, bank: string | null): { html: string } | { location: string } {
  const link = state.links.get(secret);
  if (!link) return { html: '<!doctype html><title>Expired</title><h1>This link has expired</h1>' };
  if (bank === null) {
    const options = Object.keys(banks).map((name) => `<option>${name}</option>`);
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Get paid by Parley</title><main><h1>Get paid by Parley</h1>
      <form method="post"><label>Bank account <select name="bank">${options.join('')}</select></label>
      <button>Agree and submit</button></form></main></html>`;
    return { html };
  }
  state.links.delete(secret);
  completeAccount(state, link.accountId, bank as BankNumber);
  return { location: link.returnUrl };
}

/** All details of an account are provided, with this bank account. */
export function completeAccount(state: State, id: string, bank: BankNumber = '000123456789'): void {
  const account = found(state.accounts, id, 'account');
  account.bank = bank;
  account.requirements.entries = [];
  setStatus(state, account, 'active');
}

/** Stripe restricts an account until details are provided. */
export function restrictAccount(state: State, id: string, requirements: string[]): void {
  const account = found(state.accounts, id, 'account');
  account.requirements.entries = requirements.map((name) => due(name, 'past_due'));
  setStatus(state, account, 'restricted');
}

function setStatus(state: State, account: Account, status: Status): void {
  const { stripe_balance: balance } = account.configuration.recipient.capabilities;
  balance.payouts.status = status;
  balance.stripe_transfers.status = status;
  for (const part of ['requirements', 'configuration.recipient']) {
    const suffix = part === 'requirements' ? 'updated' : 'capability_status_updated';
    state.emitThin(`v2.core.account[${part}].${suffix}`, account.id);
  }
}

/** True if the account can receive transfers and send payouts. */
export function isActive({ configuration }: Account): boolean {
  return configuration.recipient.capabilities.stripe_balance.stripe_transfers.status === 'active';
}
