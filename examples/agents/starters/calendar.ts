/**
 * calendar: books meeting rooms for a fee.
 *
 * Demonstrates: a question with a surface (A2UI) for clients that show one, otherwise with a form, and an agent that sells without its own key. Parley signs its carts, verifies their payments, and accepts
 * the agent's statement that the order is accepted (`createManagedMerchant`). Bookings are stored in this process only;
 * a real agent would use a database.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { createManagedMerchant, isMandateData } from '@parley/agent';
import type { Turn, TurnOutput } from '@parley/agent/serve';
import { LRUCache } from 'lru-cache';
import { bookingForm, wordsOf } from './calendar-form';
import { A2UI, bookingSurface, showsSurfaces, wordsOfAction } from './calendar-surface';
import {
  formatSlot,
  inMinutes,
  isWithdrawal,
  type Schedule,
  SLOT_MINUTES,
  type Slot,
  slotsOf,
  suggest,
} from './calendar-wish';

const NAME = 'Meeting Rooms';
const AP2 = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';
/** Dollars for half an hour. */
const PRICE = 12;
const CART_MINUTES = 15;

export const card = {
  name: NAME,
  description:
    'Books a meeting room: shows the free times of a day, asks for what is missing, and sends a signed cart. The room is ' +
    'yours as soon as you have paid, with a calendar file to import.',
  version: '1.0.0',
  capabilities: {
    extensions: [
      {
        uri: AP2,
        description: 'Sends signed carts and accepts payments.',
        required: false,
        params: { roles: ['merchant'] },
      },
      A2UI,
    ],
  },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/markdown', 'application/json', 'text/calendar'],
  skills: [
    {
      id: 'book',
      name: 'Book a meeting room',
      description: 'Schedules a meeting or an appointment on a day, at a time, for 30 minutes to 2 hours.',
      tags: ['calendar', 'meetings', 'appointments', 'booking', 'scheduling', 'payments'],
      examples: ['Book a meeting tomorrow at 10 for an hour', 'I need a room next Tuesday at 2:30 pm for 90 minutes'],
    },
    {
      id: 'free-times',
      name: 'Show free times',
      description: 'Lists when the room is available on a day.',
      tags: ['calendar', 'availability', 'free slots'],
      examples: ['Which times are free on Monday?', 'When can I have a meeting this week?'],
    },
  ],
};

interface Offer {
  cartId: string;
  slot: Slot;
  /** Booking number; null until it is paid. */
  number: string | null;
}

/** Offers by task: Parley pays on the task in which the cart was sent. */
const offers = new LRUCache<string, Offer>({ max: 2_000 });
/** Half hours that are paid for, ISO 8601. */
const booked = new Set<string>();
const schedule: Schedule = { isBooked: (start) => booked.has(start) };

export async function* handle(turn: Turn): AsyncGenerator<TurnOutput> {
  const mandate = turn.data.find(isMandateData);
  if (mandate) yield* takePayment(turn, Object(mandate));
  else if (turn.data.some((value) => 'ap2.PaymentReceipt' in Object(value)))
    yield 'Thank you. I have filed the receipt.';
  else if (isWithdrawal(turn.text)) yield 'All right. Nothing was booked.';
  else yield* offer(turn);
}

/** Asks for missing information, or offers the time. */
async function* offer(turn: Turn): AsyncGenerator<TurnOutput> {
  const earlier = turn.history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => textOf(parts));
  const now = new Date();
  const suggestion = suggest([...earlier, textOf(turn.message.parts)], now, schedule);
  if ('question' in suggestion) {
    const form = showsSurfaces(turn.message.metadata) ? bookingSurface(now, schedule) : { data: bookingForm(now) };
    yield turn.ask([{ text: suggestion.question }, form]);
    return;
  }
  const { slot } = suggestion;
  const contents = cartOf(slot);
  const cart = await merchant().signCart(contents);
  offers.set(turn.taskId, { cartId: contents.id, slot, number: null });
  yield turn.artifact({ artifactId: 'cart', name: 'Cart', data: { 'ap2.mandates.CartMandate': cart } });
  yield turn.ask(`${formatSlot(slot)} is free. Approve the cart to book it, or name another time.`);
}

/** Returns a message of the caller in words, also if it answers the form or the surface. */
function textOf(parts: { text?: string; data?: unknown }[]): string {
  return parts
    .map(({ text, data }) => (data === undefined ? (text ?? '') : wordsOf(data) || wordsOfAction(data)))
    .join('\n');
}

function cartOf({ start, minutes }: Slot) {
  const id = randomUUID();
  const value = (minutes / SLOT_MINUTES) * PRICE;
  const item = (label: string) => ({ label, amount: { currency: 'USD', value }, refund_period: 1 });
  return {
    id: `cart-${id}`,
    user_cart_confirmation_required: true,
    merchant_name: NAME,
    cart_expiry: inMinutes(new Date().toISOString(), CART_MINUTES),
    payment_request: {
      method_data: [{ supported_methods: 'parley', data: {} }],
      details: {
        id: `booking-${id}`,
        display_items: [item(`Meeting room, ${formatSlot({ start, minutes })}`)],
        total: item('Total'),
      },
    },
  };
}

/** Accepts a payment if it is for the offer of this task and the time is still free; otherwise the money is released. */
async function* takePayment(turn: Turn, mandate: object): AsyncGenerator<TurnOutput> {
  const offered = offers.get(turn.taskId);
  // Parley may deliver a payment twice.
  if (offered?.number) {
    yield* confirm(turn, offered);
    return;
  }
  const { valid, code, order } = await merchant().verifyMandate(mandate);
  if (!valid) {
    yield turn.ask(`I did not accept this payment (${code ?? 'invalid'}). Nothing was booked.`);
    return;
  }
  const isFree = offered && !slotsOf(offered.slot).some(schedule.isBooked);
  if (!isFree || order?.cartId !== offered.cartId) {
    await merchant().claim(mandate, { orderId: 'none', accept: false });
    yield turn.ask('That time was just booked by someone else. You were not charged. Name another time.');
    return;
  }
  for (const start of slotsOf(offered.slot)) booked.add(start);
  const number = `MR-${randomInt(10_000, 100_000)}`;
  await merchant().claim(mandate, { orderId: number });
  offers.set(turn.taskId, { ...offered, number });
  yield* confirm(turn, { ...offered, number });
}

function* confirm(turn: Turn, { slot, number }: Offer): Generator<TurnOutput> {
  yield { text: `Booked: **${formatSlot(slot)}**. Your booking number is ${number}.`, mediaType: 'text/markdown' };
  const raw = Buffer.from(eventFile(slot, String(number))).toString('base64');
  const file = { raw, filename: 'meeting.ics', mediaType: 'text/calendar' };
  yield turn.artifact({ artifactId: 'event', name: 'Calendar file', parts: [file] });
}

/** Returns an event of RFC 5545. */
function eventFile({ start, minutes }: Slot, number: string): string {
  const stamp = (iso: string) => iso.replace(/[-:]|\.\d+/g, '');
  const event = [`UID:${number}@meeting-rooms`, `DTSTAMP:${stamp(start)}`, `DTSTART:${stamp(start)}`];
  const lines = [...event, `DTEND:${stamp(inMinutes(start, minutes))}`, 'SUMMARY:Meeting room'];
  const frame = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Parley//Meeting Rooms//EN', 'BEGIN:VEVENT', ...lines];
  return `${[...frame, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')}\r\n`;
}

/** Creates the managed merchant: Parley signs this agent's carts, with the credentials of its app. */
function merchant(): ReturnType<typeof createManagedMerchant> {
  const { PARLEY_URL: url = 'http://localhost:3000', PARLEY_AGENT: agent = 'calendar' } = process.env;
  const { PARLEY_CLIENT_ID: clientId = '', PARLEY_CLIENT_SECRET: clientSecret = '' } = process.env;
  return createManagedMerchant({ url, agent, clientId, clientSecret });
}
