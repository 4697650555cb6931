import { findAddress, isComplete } from './address';
import { type CartMandate, createCart, totalCents } from './cart';
import { DELIVERY_CENTS, money, pizzaOf } from './menu';
import { applyOperations, describeLine, emptyOrder, type Order } from './order';
import { answer, isQuestion, menuText, sizesText } from './questions';
import { readOrder } from './read-order';
import { normalize } from './words';

/** A customer's state between two messages. */
export interface Conversation {
  order: Order;
  /** The cart that the customer is reviewing, if one was sent. */
  cart: CartMandate | null;
  /** True if the customer declined the last cart: none is sent until they change the order or request one. */
  declined?: boolean;
}

/** Result of a turn: a question, a cart to review, or done. */
export type Reply =
  | { kind: 'question'; text: string }
  | { kind: 'cart'; text: string; cart: CartMandate }
  | { kind: 'canceled'; text: string };

export interface Circumstances {
  now: Date;
  newId: () => string;
}

const MAX_TEXT_LENGTH = 2_000;

export function newConversation(): Conversation {
  return { order: emptyOrder(), cart: null };
}

/**
 * Reads one message of the customer and returns the reply. Pure: the same message in the same state always returns the
 * same reply.
 */
export function respond(
  before: Conversation,
  text: string,
  at: Circumstances,
): { conversation: Conversation; reply: Reply } {
  if (text.length > MAX_TEXT_LENGTH) return ask(before, `Please keep it below ${MAX_TEXT_LENGTH} characters.`);
  if (isCancellation(text)) {
    return {
      conversation: newConversation(),
      reply: { kind: 'canceled', text: 'Cancelled. Nothing was ordered and nothing is charged.' },
    };
  }
  if (isDecline(text) && (before.cart !== null || before.declined)) {
    return ask({ order: before.order, cart: null, declined: true }, before.declined ? nothingOpen : withdrawn);
  }
  const { order, replies } = read(before.order, text);
  const missing = nextQuestion(order);
  const menu = order.lines.length === 0 && replies.length === 0 ? [menuText()] : [];
  const changed = JSON.stringify(order) !== JSON.stringify(before.order);
  if (missing !== null) {
    const summary = changed && order.lines.length > 0 ? [summaryOf(order)] : [];
    const puzzled = replies.length === 0 && !changed && order.lines.length > 0 ? ['I did not understand that.'] : [];
    return ask({ order, cart: null }, [...replies, ...puzzled, ...summary, missing, ...menu].join('\n\n'));
  }
  if (before.declined && !changed && !asksForCart.test(normalize(text))) {
    return ask(before, [...replies, nothingOpen].join('\n\n'));
  }
  if (before.declined && !changed) return sendCart(order, [], at);
  const open = before.cart !== null && !changed && new Date(before.cart.contents.cart_expiry) > at.now;
  return open ? remind(before, replies, text) : sendCart(order, replies, at);
}

/** Extracts address, questions and wishes from a text. `replies` are answers and remarks, in the order of the text. */
function read(before: Order, text: string): { order: Order; replies: string[] } {
  const replies: string[] = [];
  const asksForAddress = nextQuestion(before) === ADDRESS_QUESTION;
  const found = findAddress(text, asksForAddress);
  let order = before;
  if (found && isComplete(found.address)) order = { ...order, address: found.address };
  else if (found) replies.push(`"${found.address}" is not enough for our courier: please add the street and number.`);
  for (const sentence of sentencesOf(found?.rest ?? text)) {
    if (isQuestion(sentence)) {
      replies.push(
        /\b(?:total|sum)\b|\bhow much is (?:it|that|my|the) ?(?:order|all)?$/.test(normalize(sentence))
          ? totalText(order)
          : answer(sentence),
      );
      continue;
    }
    const applied = applyOperations(order, readOrder(sentence));
    order = applied.order;
    replies.push(...applied.notes);
  }
  return { order, replies: [...new Set(replies)] };
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');
}

const ADDRESS_QUESTION = 'Where should we deliver? Please give a street and number, such as “12 Via Roma, Florence”.';

/** Returns the question for the missing information; null if the order is complete. */
function nextQuestion(order: Order): string | null {
  if (order.wish)
    return `Which pizza${order.wish.quantity === 1 ? '' : 's'} would you like${order.wish.size ? ` in ${order.wish.size}` : ''}?`;
  if (order.lines.length === 0) {
    return 'What would you like to eat? For example "two large margheritas and a small diavola with extra olives".';
  }
  const open = order.lines.filter(({ size }) => size === null).map(({ pizza }) => `the ${pizzaOf(pizza).name}`);
  if (open.length > 0) return `Which size for ${[...new Set(open)].join(' and ')}? ${sizesText()}`;
  return order.address === null ? ADDRESS_QUESTION : null;
}

function summaryOf(order: Order): string {
  const rows = order.lines.map((line) => `- ${describeLine(line)}`);
  return [`So far:`, ...rows, ...(order.address ? [`- to ${order.address}`] : [])].join('\n');
}

function totalText(order: Order): string {
  if (order.lines.length === 0) return 'Your order is still empty.';
  if (order.lines.some(({ size }) => size === null)) return 'I can tell you the total as soon as I know the sizes.';
  return `That is ${money(totalCents(order))}, with ${money(DELIVERY_CENTS)} for delivery.`;
}

/** Two changes that this order allows. */
function examplesOfChange({ lines }: Order): string {
  const [{ pizza, size } = { pizza: '', size: null }] = lines;
  return `"make the ${pizzaOf(pizza).name} ${size === 'large' ? 'small' : 'large'}", "extra olives"`;
}

function sendCart(
  order: Order,
  replies: string[],
  { now, newId }: Circumstances,
): { conversation: Conversation; reply: Reply } {
  const cart = createCart(order, { id: newId(), now });
  const text = [
    ...replies,
    `Here is your cart: ${money(totalCents(order))}, delivered to ${order.address}. Please review the cart. ` +
      `You can still change it (${examplesOfChange(order)}) or say "cancel".`,
  ].join('\n\n');
  return { conversation: { order, cart }, reply: { kind: 'cart', text, cart } };
}

/** Replies without changing the cart, if the customer asked something, agreed, or wrote something unreadable. */
function remind(
  conversation: Conversation,
  replies: string[],
  text: string,
): { conversation: Conversation; reply: Reply } {
  const agrees = /\b(?:yes|yep|ok|okay|confirm|confirmed|pay|fine|good|perfect|correct|right|go ahead|order it)\b/.test(
    normalize(text),
  );
  const reminder = `Your cart stands at ${money(totalCents(conversation.order))}.`;
  if (replies.length > 0) return ask(conversation, [...replies, reminder].join('\n\n'));
  const acknowledgement = agrees ? 'Thank you.' : 'I did not understand that.';
  return ask(
    conversation,
    `${acknowledgement} ${reminder} We start baking once it is paid; until then you can change or cancel it.`,
  );
}

const withdrawn =
  'All right, that cart is withdrawn and nothing is charged. Tell me what to change, ask for a new cart, or say "cancel".';
const nothingOpen = 'No cart is open right now. Change your order, or ask me for a new cart.';
const asksForCart = /\b(?:yes|yep|again|cart|offer|pay|order it|go ahead)\b/;

/** Detects "I decline this offer (cart …)", as written by Parley, or the same in a customer's words. */
function isDecline(text: string): boolean {
  return /^(?:(?:no|sorry|please|,) )*(?:(?:i )?(?:decline|reject|refuse)\b|i (?:do not|dont) want (?:it|this|that)|no(?: thanks| thank you)?$)/.test(
    normalize(text),
  );
}

function ask(conversation: Conversation, text: string): { conversation: Conversation; reply: Reply } {
  return { conversation, reply: { kind: 'question', text } };
}

const cancellation =
  /^(?:never ?mind|forget|stop|abort|cancel)(?: (?:it|this|that|all|everything|all of it|about it|(?:the|my|this|our) (?:whole |entire )?order))?(?: (?:please|thanks|thank you|sorry)|$| ,)/;

/** Detects "Cancel" and "never mind, I changed my mind", but not "cancel the diavola", which only removes an item. */
function isCancellation(text: string): boolean {
  const words = normalize(text).replace(
    /^(?:(?:ok|okay|please|sorry|no|oh|actually|i want to|id like to|can you|,) )+/,
    '',
  );
  return cancellation.test(words) && readOrder(words.replace(/^.*?,/, '')).every(({ kind }) => kind === 'remove');
}
