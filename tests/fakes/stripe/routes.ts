import type Stripe from 'stripe';
import { ApiError, objectOf, type Params, refuseUnknown, textOf } from './params';
import { cancelIntent, captureIntent, confirmIntent, createIntent } from './payments';
import { createRefund, createTransfer, reverseTransfer } from './refunds';
import { createSession, expireSession } from './sessions';
import { type Account, found, newStripeId, type State } from './state';

export interface Call {
  method: string;
  /** Without its query. */
  path: string;
  params: Params;
  /** Base URL of the double. */
  base: string;
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
  route('GET /v1/events', ['created.gte', 'type', 'types.*', ...listing], (state, { params }) => {
    const since = Number(textOf(objectOf(params, 'created'), 'gte') ?? 0);
    return listOf(
      [...state.events].reverse().filter(({ created }) => created >= since),
      params,
    );
  }),
  route(
    'POST /v2/core/accounts',
    ['contact_email', 'display_name', 'dashboard', 'identity.*', 'include.*'],
    (state) => {
      const account: Account = {
        id: newStripeId('acct'),
        object: 'v2.core.account',
        configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { status: 'pending' } } } } },
        created: new Date(state.now() * 1_000).toISOString(),
      };
      state.accounts.set(account.id, account);
      return account;
    },
  ),
  route('GET /v2/core/accounts/:id', [], (state, _, id) => found(state.accounts, id, 'account')),
  route('POST /v2/core/account_links', ['account', 'use_case.*', 'use_case.*.*', 'use_case.*.*.*'], (state, call) => ({
    object: 'v2.core.account_link',
    account: found(state.accounts, textOf(call.params, 'account') ?? '', 'account').id,
    url: `${call.base}/onboarding`,
  })),
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
