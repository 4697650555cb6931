/**
 * pizzeria: an agent that takes an order over several turns and ends with a cart.
 *
 * Demonstrates: a task that stops at `input-required` and continues with the next message; state per conversation, with
 * a cap; a data part for programs (a signed AP2 0.1 cart) next to the text for people; a payment that is verified
 * before anything is baked, and confirmed by a signed receipt; callers separated by the subject that Parley asserts.
 * The business rules are in small pure files: menu, words, read-order, order, address, cart, conversation. Selling is
 * in shop and payment; tricks demonstrates how Parley handles bad merchants. Amounts are whole cents until they are
 * written into the cart.
 *
 * `npm start` bundles and runs it as part of the demo. By hand, with the credentials of your developer app:
 *
 *   npx esbuild examples/agents/pizzeria/main.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=dist/agents/pizzeria.mjs
 *   PORT=4001 PUBLIC_URL=http://localhost:4001 PARLEY_URL=http://localhost:3000 \
 *     PARLEY_CLIENT_ID=… PARLEY_CLIENT_SECRET=… node dist/agents/pizzeria.mjs
 *
 * `MERCHANT_KEY` (a private JWK) preserves the shop's key across restarts.
 */
import { randomUUID } from 'node:crypto';
import { isMandateData, type SignedCart } from '@parley/agent';
import { LRUCache } from 'lru-cache';
import type { AgentEnvironment } from '../shared/environment';
import { dataPart, textOf, textPart } from '../shared/parts';
import { runAgent } from '../shared/serve';
import type { Turn } from '../shared/turn';
import { pizzeriaCard } from './card';
import { AP2_EXTENSION, CART_KEY } from './cart';
import { type Conversation, newConversation, respond } from './conversation';
import { type Paid, takePayment } from './payment';
import { wordOnReceipt } from './receipt-words';
import { openShop, type Shop } from './shop';
import { readTrick, type Trick } from './tricks';
import { unlike } from './unlike';

/** A customer's state between two messages. */
interface Visit {
  conversation: Conversation;
  /** The signed cart; a payment must be for this cart. */
  signed: SignedCart | null;
  paid: Paid | null;
  trick: Trick;
  /** The previous reply: its sentences are not repeated in the next one. */
  last: string;
}

const MAX_VISITS = 2_000;
const PAYMENT_RECEIPT_KEY = 'ap2.PaymentReceipt';
const visits = new LRUCache<string, Visit>({ max: MAX_VISITS });

/**
 * Returns the storage key of a visit. It includes the caller: clients choose the `contextId`, and two may choose the
 * same.
 */
function keyOf(subject: string, contextId: string): string {
  return JSON.stringify([subject, contextId]);
}

function newVisit(): Visit {
  return { conversation: newConversation(), signed: null, paid: null, trick: 'honest', last: '' };
}

async function takeTurn(turn: Turn, shop: Shop): Promise<void> {
  const key = keyOf(turn.caller.subject, turn.contextId);
  const visit = visits.get(key) ?? newVisit();
  const data = dataOf(turn);
  if (data.some((value) => PAYMENT_RECEIPT_KEY in value)) {
    const wording = unlike(visit.last, wordOnReceipt(data, visit.paid !== null));
    visits.set(key, { ...visit, last: wording });
    turn.reply([textPart(wording)]);
    return;
  }
  turn.begin();
  turn.activateExtension(AP2_EXTENSION);
  const mandate = data.find(isMandateData);
  if (mandate) {
    const { signed: cart, trick, paid } = visit;
    const taken = await takePayment(turn, shop, { data: mandate, cart, trick, paid });
    // A paid cart is no longer open: the next message starts a new order.
    const conversation = taken === paid ? visit.conversation : newConversation();
    visits.set(key, { ...visit, conversation, last: '', paid: taken });
    return;
  }
  const text = textOf(turn.message);
  if (text === '') {
    const wording = unlike(visit.last, 'Tell me in words what you would like to eat.');
    visits.set(key, { ...visit, last: wording });
    turn.ask(wording);
  } else await takeOrder(turn, shop, { key, visit, text });
}

function dataOf({ message }: Turn): object[] {
  return message.parts.flatMap(({ content }) =>
    content?.$case === 'data' && typeof content.value === 'object' && content.value !== null ? [content.value] : [],
  );
}

async function takeOrder(
  turn: Turn,
  shop: Shop,
  { key, visit, text }: { key: string; visit: Visit; text: string },
): Promise<void> {
  const { trick: asked, rest } = shop.playsTricks ? readTrick(text) : { trick: null, rest: text };
  const trick = asked ?? visit.trick;
  const circumstances = { now: new Date(), newId: randomUUID };
  const { conversation, reply } = respond(visit.conversation, rest, circumstances);
  const wording = unlike(visit.last, reply.text);
  const after = { ...visit, conversation, trick, last: wording };
  // A declined cart must not be paid: its mandate is refused like a mandate without a cart.
  visits.set(key, conversation.declined ? { ...after, signed: null } : after);
  if (reply.kind === 'canceled') {
    visits.delete(key);
    turn.cancel(wording);
    return;
  }
  if (reply.kind === 'cart') {
    const cart = await shop.sign(reply.cart, trick, visit.signed);
    const signed = 'merchant_authorization' in cart ? cart : null;
    visits.set(key, { ...after, signed });
    publishCart(turn, cart);
  }
  turn.ask(wording);
}

/** Publishes a cart. A changed order is a new cart with a new id, which replaces the old one. */
function publishCart(turn: Turn, cart: object): void {
  turn.publish({
    artifactId: 'cart',
    name: 'Cart',
    description: 'The cart to review before you pay',
    parts: [dataPart({ [CART_KEY]: cart })],
    extensions: [AP2_EXTENSION],
  });
}

runAgent({
  slug: 'pizzeria',
  createCard: pizzeriaCard,
  open(environment: AgentEnvironment) {
    const shop = openShop(environment);
    return { takeTurn: (turn) => takeTurn(turn, shop), jwks: shop.merchant.jwks() };
  },
  onCanceled: (task, subject) => visits.delete(keyOf(subject, task.contextId)),
});
