import type Stripe from 'stripe';
import { ApiError } from './params';
import { authorizeIntent, cards, confirmIntent, createIntent, decline, isCardName } from './payments';
import { completeSession, draftOf } from './sessions';
import { found, type State } from './state';

/** The page's response: itself, or the next redirect. */
export type PageResponse = { html: string } | { location: string };

/** The page of a session: card selection, or cancel. */
export function showPage(state: State, id: string, fault = ''): PageResponse {
  const session = found(state.sessions, id, 'session');
  if (session.status !== 'open')
    return { html: page('This page is closed', '<p>Nothing can be paid here any more.</p>') };
  const options = Object.keys(cards).map((name) => `<option value="${name}">${name}</option>`);
  const amount = `${((session.amount_total ?? 0) / 100).toFixed(2)} ${(session.currency ?? '').toUpperCase()}`;
  const form = `${fault && `<p role="alert">${fault}</p>`}<form method="post">
    <label>Card <select name="card">${options.join('')}</select></label>
    <button>Pay ${amount}</button></form><p><a href="${session.cancel_url ?? ''}">Back</a></p>`;
  return { html: page(`Pay ${amount}`, form) };
}

/** Submits the form with that card. */
export function pay(state: State, id: string, card: string): PageResponse {
  const session = found(state.sessions, id, 'session');
  if (session.status !== 'open' || !isCardName(card)) return showPage(state, id);
  const intent = intentOf(state, session);
  intent.payment_method = card;
  try {
    confirmIntent(state, intent);
  } catch (error) {
    if (error instanceof ApiError) return showPage(state, id, error.message);
    throw error;
  }
  if (intent.status === 'requires_action') return { location: `/pay/${id}/3ds` };
  completeSession(state, session, intent);
  return { location: session.success_url ?? '/' };
}

/** The bank's page (3-D Secure). */
export function showBank(state: State, id: string): PageResponse {
  found(state.sessions, id, 'session');
  const form = `<form method="post"><button name="answer" value="yes">Confirm</button>
    <button name="answer" value="no">Refuse</button></form>`;
  return { html: page('Your bank asks: is it you?', form) };
}

/** The user's decision at the bank. */
export function submitBankDecision(state: State, id: string, reply: string): PageResponse {
  const session = found(state.sessions, id, 'session');
  const intent = intentOf(state, session);
  if (session.status !== 'open' || intent.status !== 'requires_action') return showPage(state, id);
  if (reply !== 'yes') return showPage(state, id, decline(state, intent, 'authentication_required').message);
  authorizeIntent(state, intent);
  completeSession(state, session, intent);
  return { location: session.success_url ?? '/' };
}

function intentOf(state: State, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const begun = state.intents.get(String(session.payment_intent));
  if (begun) return begun;
  const intent = createIntent(state, draftOf(state, session));
  session.payment_intent = intent.id;
  return intent;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;
}
