import { findAddress, isComplete } from './address';
import { type CartMandate, createCart, totalCents } from './cart';
import { DELIVERY_CENTS, money, pizzaOf } from './menu';
import { applyOperations, describeLine, emptyOrder, type Order } from './order';
import { answer, isQuestion, menuText, sizesText } from './questions';
import { readOrder } from './read-order';
import { normalise } from './words';

/** What the trattoria remembers between two messages of a customer. */
export interface Conversation {
  order: Order;
  /** The cart that the customer is looking at, if one was sent. */
  cart: CartMandate | null;
  /** The customer declined the last cart: none is sent before they change something or ask for one. */
  declined?: boolean;
}

/** How a turn ends: with a question, with a cart to review, or with nothing left to do. */
export type Reply =
  | { kind: 'question'; text: string }
  | { kind: 'cart'; text: string; cart: CartMandate }
  | { kind: 'canceled'; text: string };

export interface Circumstances {
  now: Date;
  newId: () => string;
}

const LONGEST_TEXT = 2_000;

export function newConversation(): Conversation {
  return { order: emptyOrder(), cart: null };
}

/**
 * Reads one message of the customer and says what to answer. Pure: the same words in the same state, the same answer.
 */
export function respond(
  before: Conversation,
  text: string,
  at: Circumstances,
): { conversation: Conversation; reply: Reply } {
  if (text.length > LONGEST_TEXT) return ask(before, `Please keep it below ${LONGEST_TEXT} characters.`);
  if (isCancellation(text)) {
    return {
      conversation: newConversation(),
      reply: { kind: 'canceled', text: 'Cancelled. Nothing was ordered and nothing is charged.' },
    };
  }
  if (isDecline(text) && (before.cart !== null || before.declined)) {
    return ask({ order: before.order, cart: null, declined: true }, before.declined ? nothingOpen : withdrawn);
  }
  const { order, said } = read(before.order, text);
  const missing = nextQuestion(order);
  const menu = order.lines.length === 0 && said.length === 0 ? [menuText()] : [];
  const changed = JSON.stringify(order) !== JSON.stringify(before.order);
  if (missing !== null) {
    const summary = changed && order.lines.length > 0 ? [summaryOf(order)] : [];
    const puzzled = said.length === 0 && !changed && order.lines.length > 0 ? ['I did not understand that.'] : [];
    return ask({ order, cart: null }, [...said, ...puzzled, ...summary, missing, ...menu].join('\n\n'));
  }
  if (before.declined && !changed && !asksForCart.test(normalise(text))) {
    return ask(before, [...said, nothingOpen].join('\n\n'));
  }
  if (before.declined && !changed) return sendCart(order, [], at);
  const open = before.cart !== null && !changed && new Date(before.cart.contents.cart_expiry) > at.now;
  return open ? remind(before, said, text) : sendCart(order, said, at);
}

/** Takes address, questions and wishes out of a text. `said` are answers and notes, in the order of the text. */
function read(before: Order, text: string): { order: Order; said: string[] } {
  const said: string[] = [];
  const asksForAddress = nextQuestion(before) === ADDRESS_QUESTION;
  const found = findAddress(text, asksForAddress);
  let order = before;
  if (found && isComplete(found.address)) order = { ...order, address: found.address };
  else if (found) said.push(`"${found.address}" is not enough for our courier: please add street and number.`);
  for (const sentence of sentencesOf(found?.rest ?? text)) {
    if (isQuestion(sentence)) {
      said.push(
        /\b(?:total|sum)\b|\bhow much is (?:it|that|my|the) ?(?:order|all)?$/.test(normalise(sentence))
          ? totalText(order)
          : answer(sentence),
      );
      continue;
    }
    const applied = applyOperations(order, readOrder(sentence));
    order = applied.order;
    said.push(...applied.notes);
  }
  return { order, said: [...new Set(said)] };
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');
}

const ADDRESS_QUESTION = 'Where shall we deliver? Street and number, please, for example "12 Via Roma, Florence".';

/** What must still be known before a price can be named; null when the order is complete. */
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
  return `That is ${money(totalCents(order))}, with ${money(DELIVERY_CENTS)} for the delivery.`;
}

function sendCart(
  order: Order,
  said: string[],
  { now, newId }: Circumstances,
): { conversation: Conversation; reply: Reply } {
  const cart = createCart(order, { id: newId(), now });
  const text = [
    ...said,
    `Here is your cart: ${money(totalCents(order))}, delivered to ${order.address}. Please review the cart. ` +
      'You can still change it ("make the diavola large", "no olives") or say "cancel".',
  ].join('\n\n');
  return { conversation: { order, cart }, reply: { kind: 'cart', text, cart } };
}

/** The cart stands as it was; the customer asked something, agreed, or said something we cannot read. */
function remind(
  conversation: Conversation,
  said: string[],
  text: string,
): { conversation: Conversation; reply: Reply } {
  const agrees = /\b(?:yes|yep|ok|okay|confirm|confirmed|pay|fine|good|perfect|correct|right|go ahead|order it)\b/.test(
    normalise(text),
  );
  const standing = `Your cart stands at ${money(totalCents(conversation.order))}.`;
  if (said.length > 0) return ask(conversation, [...said, standing].join('\n\n'));
  const heard = agrees ? 'Thank you.' : 'I did not understand that.';
  return ask(
    conversation,
    `${heard} ${standing} We start baking once it is paid; until then you can change or cancel it.`,
  );
}

const withdrawn =
  'All right, that cart is withdrawn and nothing is charged. Tell me what to change, ask for a new cart, or say "cancel".';
const nothingOpen = 'No cart is open right now. Change your order, or ask me for a new cart.';
const asksForCart = /\b(?:yes|yep|again|cart|offer|pay|order it|go ahead)\b/;

/** "I decline this offer (cart …)", as Parley writes it, or the same in a customer's words. */
function isDecline(text: string): boolean {
  return /^(?:(?:no|sorry|please|,) )*(?:(?:i )?(?:decline|reject|refuse)\b|i (?:do not|dont) want (?:it|this|that)|no(?: thanks| thank you)?$)/.test(
    normalise(text),
  );
}

function ask(conversation: Conversation, text: string): { conversation: Conversation; reply: Reply } {
  return { conversation, reply: { kind: 'question', text } };
}

const cancellation =
  /^(?:never ?mind|forget|stop|abort|cancel)(?: (?:it|this|that|all|everything|all of it|about it|(?:the|my|this|our) (?:whole |entire )?order))?(?: (?:please|thanks|thank you|sorry)|$| ,)/;

/** "Cancel", "never mind, I changed my mind"; but not "cancel the diavola", which only takes something away. */
function isCancellation(text: string): boolean {
  const words = normalise(text).replace(
    /^(?:(?:ok|okay|please|sorry|no|oh|actually|i want to|id like to|can you|,) )+/,
    '',
  );
  return cancellation.test(words) && readOrder(words.replace(/^.*?,/, '')).every(({ kind }) => kind === 'remove');
}
