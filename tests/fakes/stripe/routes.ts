import type Stripe from 'stripe';
import { changeSettings, createAccount, createAccountLink, visible } from './accounts';
import { showBalance } from './balances';
import { submitEvidence } from './disputes';
import { ApiError, objectOf, type Params, refuseUnknown, textOf } from './params';
import { cancelIntent, captureIntent, confirmIntent, createIntent } from './payments';
import { cancelPayout, createPayout, payoutOf, visiblePayout } from './payouts';
import { createRefund } from './refunds';
import { createSession, expireSession } from './sessions';
import { found, type State } from './state';
import { createTransfer, reverseTransfer } from './transfers';

export interface Call {
  method: string;
  /** Without its query. */
  path: string;
  params: Params;
  /** Base URL of the double. */
  base: string;
  /** The connected account on whose behalf the call is made, or `platform`. */
  owner: string;
}

interface Route {
  /** For `METHOD /path`. */
  pattern: RegExp;
  known: string[];
  answer: (state: State, call: Call, id: string) => object;
}

const expanding = ['expand.*'];
const listing = ['limit', 'starting_after', 'ending_before', ...expanding];
const price = 'line_items.*.price_data';
const intentCreation = [
  ...['amount', 'currency', 'capture_method', 'confirm', 'payment_method', 'return_url', 'off_session', 'description'],
  ...['metadata.*', 'transfer_group', 'payment_method_types.*', 'application_fee_amount', 'transfer_data.destination'],
];
const sessionCreation = [
  ...['mode', 'ui_mode', 'client_reference_id', 'metadata.*', 'success_url', 'cancel_url', 'expires_at', 'customer'],
  ...['line_items.*.quantity', `${price}.currency`, `${price}.unit_amount`, `${price}.product_data.name`],
  ...['payment_intent_data.capture_method', 'payment_intent_data.metadata.*', 'payment_intent_data.transfer_group'],
  ...['payment_intent_data.application_fee_amount', 'payment_intent_data.transfer_data.destination'],
];

const accountCreation = [
  ...['contact_email', 'display_name', 'dashboard', 'identity.*', 'include.*', 'metadata.*'],
  ...['defaults.currency', 'defaults.responsibilities.*', 'configuration.recipient.capabilities.*.*.requested'],
];

function route(name: string, known: string[], handleCall: Route['answer']): Route {
  const pattern = new RegExp(`^${name.replace(':id', '(\\w+)')}$`);
  return { pattern, known: [...known, ...expanding], answer: handleCall };
}

const routes: Route[] = [
  route('POST /v1/payment_intents', intentCreation, (state, { params }) => createIntent(state, params)),
  route('GET /v1/payment_intents/:id', [], (state, _, id) => intentOf(state, id)),
  route('POST /v1/payment_intents/:id/confirm', ['payment_method', 'return_url'], (state, { params }, id) => {
    const intent = intentOf(state, id);
    intent.payment_method = textOf(params, 'payment_method') ?? intent.payment_method;
    return confirmIntent(state, intent, textOf(params, 'return_url'));
  }),
  route('POST /v1/payment_intents/:id/capture', ['amount_to_capture'], (state, { params }, id) =>
    captureIntent(state, intentOf(state, id), params),
  ),
  route('POST /v1/payment_intents/:id/cancel', ['cancellation_reason'], (state, _, id) =>
    cancelIntent(state, intentOf(state, id)),
  ),
  route('POST /v1/checkout/sessions', sessionCreation, (state, { params, base }) => createSession(state, params, base)),
  route('GET /v1/checkout/sessions/:id', [], (state, _, id) => sessionOf(state, id)),
  route('POST /v1/checkout/sessions/:id/expire', [], (state, _, id) => expireSession(state, sessionOf(state, id))),
  route(
    'POST /v1/refunds',
    ['payment_intent', 'amount', 'reason', 'metadata.*', 'reverse_transfer', 'refund_application_fee'],
    (state, { params }) => createRefund(state, params),
  ),
  route('GET /v1/refunds', ['payment_intent', ...listing], (state, { params }) => {
    const all = [...state.refunds.values()].reverse();
    const wanted = textOf(params, 'payment_intent');
    return listOf(
      all.filter((refund) => wanted === null || refund.payment_intent === wanted),
      params,
    );
  }),
  route('GET /v1/disputes/:id', [], (state, _, id) => found(state.disputes, id, 'dispute')),
  route('POST /v1/disputes/:id', ['evidence.uncategorized_text', 'submit'], (state, { params }, id) =>
    submitEvidence(state, found(state.disputes, id, 'dispute'), params),
  ),
  route('GET /v1/refunds/:id', [], (state, _, id) => found(state.refunds, id, 'refund')),
  route(
    'POST /v1/transfers',
    ['amount', 'currency', 'destination', 'source_transaction', 'transfer_group', 'metadata.*'],
    (state, { params }) => createTransfer(state, params),
  ),
  route('POST /v1/transfers/:id/reversals', ['amount', 'metadata.*'], (state, { params }, id) =>
    reverseTransfer(state, found(state.transfers, id, 'transfer'), params),
  ),
  route('GET /v1/charges/:id', [], (state, _, id) => found(state.charges, id, 'charge')),
  route('GET /v1/events', ['created.gte', 'type', 'types.*', ...listing], (state, { params, owner }) => {
    const since = Number(textOf(objectOf(params, 'created'), 'gte') ?? 0);
    return listOf(
      [...state.events].reverse().filter(({ created, account = 'platform' }) => created >= since && account === owner),
      params,
    );
  }),
  route('GET /v1/transfers', ['transfer_group', 'destination', ...listing], (state, { params }) => {
    const group = textOf(params, 'transfer_group');
    const all = [...state.transfers.values()].reverse();
    return listOf(
      all.filter(({ transfer_group: of }) => group === null || of === group),
      params,
    );
  }),
  route('GET /v1/transfers/:id', [], (state, _, id) => found(state.transfers, id, 'transfer')),
  route('GET /v1/transfers/:id/reversals', listing, (state, { params }, id) =>
    listOf(found(state.transfers, id, 'transfer').reversals.data, params),
  ),
  route('GET /v1/balance', [], (state, { owner }) => showBalance(state, owner)),
  route('GET /v1/balance_transactions', ['payout', 'type', 'source', ...listing], (state, { params, owner }) => {
    const source = textOf(params, 'payout') ?? textOf(params, 'source');
    const all = [...(state.transactions.get(owner) ?? [])].reverse();
    return listOf(
      all.filter((one) => source === null || one.source === source),
      params,
    );
  }),
  route(
    'POST /v1/balance_settings',
    ['payments.payouts.schedule.interval', 'payments.debit_negative_balances'],
    (state, { params, owner }) => changeSettings(state, owner, params),
  ),
  route('POST /v1/payouts', ['amount', 'currency', 'metadata.*', 'method', 'statement_descriptor'], (state, call) =>
    createPayout(state, call.owner, call.params),
  ),
  route('GET /v1/payouts', ['created.gte', 'status', ...listing], (state, { params, owner }) => {
    const since = Number(textOf(objectOf(params, 'created'), 'gte') ?? 0);
    const all = [...state.payouts.values()].reverse().filter(({ account }) => account === owner);
    return listOf(all.filter(({ created }) => created >= since).map(visiblePayout), params);
  }),
  route('GET /v1/payouts/:id', [], (state, { owner }, id) => visiblePayout(payoutOf(state, owner, id))),
  route('POST /v1/payouts/:id/cancel', [], (state, { owner }, id) => cancelPayout(state, payoutOf(state, owner, id))),
  route('POST /v2/core/accounts', accountCreation, (state, { params }) => createAccount(state, params)),
  route('GET /v2/core/accounts/:id', ['include.*', 'include'], (state, _, id) =>
    visible(found(state.accounts, id, 'account')),
  ),
  route('POST /v2/core/account_links', ['account', 'use_case.*', 'use_case.*.*', 'use_case.*.*.*'], (state, call) =>
    createAccountLink(state, call.params, call.base),
  ),
];

/** Handles one call, or rejects it as Stripe would; unknown routes too get an error object. */
export function handleCall(state: State, call: Call): object {
  for (const { pattern, known, answer } of routes) {
    const match = pattern.exec(`${call.method} ${call.path}`);
    if (!match) continue;
    refuseUnknown(call.params, known);
    const expand = Object.values(objectOf(call.params, 'expand')).map(String);
    return expanded(state, answer(state, call, match[1] ?? ''), expand);
  }
  const message = `Unrecognized request URL (${call.method}: ${call.path}).`;
  throw new ApiError(404, { type: 'invalid_request_error', message });
}

function intentOf(state: State, id: string): Stripe.PaymentIntent {
  return found(state.intents, id, 'payment_intent');
}

function sessionOf(state: State, id: string): Stripe.Checkout.Session {
  return found(state.sessions, id, 'checkout.session');
}

function listOf(all: { id: string }[], params: Params): object {
  const after = textOf(params, 'starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const limit = Number(textOf(params, 'limit') ?? 10);
  const data = all.slice(from, from + limit);
  return { object: 'list', url: '/v1', has_more: from + limit < all.length, data };
}

/** A copy with the requested ids expanded to objects. */
function expanded(state: State, object: object, expand: string[]): object {
  const copy: Record<string, unknown> = structuredClone({ ...object });
  for (const path of expand) {
    const [first = '', ...rest] = path.split('.');
    const inner = state.intents.get(String(copy[first])) ?? state.charges.get(String(copy[first]));
    if (inner) copy[first] = expanded(state, inner, rest.length > 0 ? [rest.join('.')] : []);
  }
  return copy;
}
