/**
 * pizzeria: an agent that takes an order over several turns and ends with a cart.
 *
 * What it shows: a task that stops at `input-required` and goes on with the next message; state per conversation, with
 * a cap; a data part that programs read (an AP2 0.1 cart) beside the text that people read; callers kept apart by the
 * subject that Parley vouches for. The rules of the trade are in small pure files: menu, words, read-order, order,
 * address, cart, conversation. Money is whole cents until it is written into the cart.
 *
 * `npm start` bundles and runs it as part of the demo. By hand, with the credentials of a developer app of yours:
 *
 *   npx esbuild examples/agents/pizzeria/main.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=dist/agents/pizzeria.mjs
 *   PORT=4001 PUBLIC_URL=http://localhost:4001 PARLEY_URL=http://localhost:3000 \
 *     PARLEY_CLIENT_ID=… PARLEY_CLIENT_SECRET=… node dist/agents/pizzeria.mjs
 */
import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../shared/bounded-map';
import { dataPart, textOf } from '../shared/parts';
import { runAgent } from '../shared/serve';
import type { Turn } from '../shared/turn';
import { pizzeriaCard } from './card';
import { AP2_EXTENSION, CART_KEY, type CartMandate } from './cart';
import { type Conversation, newConversation, respond } from './conversation';

const MOST_CONVERSATIONS = 2_000;
const conversations = new BoundedMap<Conversation>(MOST_CONVERSATIONS);

/** Conversations are kept per caller: a `contextId` is chosen by clients, and two of them may choose the same. */
function keyOf(subject: string, contextId: string): string {
  return JSON.stringify([subject, contextId]);
}

async function takeTurn(turn: Turn): Promise<void> {
  turn.begin();
  turn.activateExtension(AP2_EXTENSION);
  const text = textOf(turn.message);
  if (text === '') {
    turn.ask(unreadable(turn));
    return;
  }

  const key = keyOf(turn.caller.subject, turn.contextId);
  const circumstances = { now: new Date(), newId: randomUUID };
  const { conversation, reply } = respond(conversations.get(key) ?? newConversation(), text, circumstances);
  conversations.set(key, conversation);

  if (reply.kind === 'canceled') {
    conversations.delete(key);
    turn.cancel(reply.text);
  } else {
    if (reply.kind === 'cart') publishCart(turn, reply.cart);
    turn.ask(reply.text);
  }
}

/** A changed order is a new cart: it has a new id and takes the place of the old one. */
function publishCart(turn: Turn, cart: CartMandate): void {
  turn.publish({
    artifactId: 'cart',
    name: 'Cart',
    description: 'What you would pay, for review',
    parts: [dataPart({ [CART_KEY]: cart })],
    extensions: [AP2_EXTENSION],
  });
}

function unreadable(turn: Turn): string {
  const pays = turn.message.parts.some(({ content }) => content?.$case === 'data' && isPayment(content.value));
  return pays
    ? 'I cannot check payments yet, so I took none. Your order stays as it is.'
    : 'Tell me in words what you would like to eat.';
}

function isPayment(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'ap2.mandates.PaymentMandate' in data;
}

runAgent({
  slug: 'pizzeria',
  createCard: pizzeriaCard,
  takeTurn,
  onCanceled: (task, subject) => conversations.delete(keyOf(subject, task.contextId)),
});
