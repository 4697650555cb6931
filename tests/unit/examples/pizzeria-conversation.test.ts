import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exampleCart, exampleTotal } from '@/components/market/home/example-talk';
import type { CartMandate } from '@/examples/agents/pizzeria/cart';
import { type Conversation, newConversation, type Reply, respond } from '@/examples/agents/pizzeria/conversation';
import { DELIVERY_CENTS, pizzaOf, pizzas, sizes, toppingOf, toppings } from '@/examples/agents/pizzeria/menu';
import englishTexts from '@/lib/texts/en/market.json' with { type: 'json' };

const noon = new Date('2026-11-20T12:00:00.000Z');

/** A customer of the trattoria; every cart gets the next number as its id. */
class Customer {
  conversation: Conversation = newConversation();
  private carts = 0;

  say(text: string, now = noon): Reply {
    const newId = () => String(++this.carts);
    const { conversation, reply } = respond(this.conversation, text, { now, newId });
    this.conversation = conversation;
    return reply;
  }
}

function cartOf(reply: Reply): CartMandate['contents'] {
  if (reply.kind !== 'cart') throw new Error(`no cart came, but: ${reply.text}`);
  return reply.cart.contents;
}

test('the example on the home page shows the pizzeria’s actual replies', () => {
  const { cart, ...texts } = englishTexts.exampleTalk;
  const customer = new Customer();
  expect(customer.say(texts.wish).text.split('\n\n').at(-1)).toBe(texts.question);
  const { details } = cartOf(customer.say(texts.address)).payment_request;
  const shown = [...exampleCart.map(({ item, price }) => [cart[item], price]), [texts.total, exampleTotal]];
  const offered = [...details.display_items, details.total];
  expect(shown).toEqual(offered.map(({ label, amount }) => [label, `€${amount.value.toFixed(2)}`]));
});

describe('an order over several turns', () => {
  it('asks for size and address in turn, and sends the cart', () => {
    const customer = new Customer();
    expect(customer.say('Hello').text).toMatch(/^What would you like to eat\?[\s\S]*Margherita/);
    expect(customer.say('a margherita and a diavola').text).toMatch(/Which size for the Margherita and the Diavola\?/);
    expect(customer.say('large').text).toMatch(/Where should we deliver\?/);
    expect(cartOf(customer.say('12 Via Roma, Florence')).payment_request.shipping_address.address_line).toEqual([
      '12 Via Roma, Florence',
    ]);
  });

  it('is complete after a single message that contains every detail', () => {
    const reply = new Customer().say('Two large margheritas and a small diavola with olives, to 12 Via Roma, Florence');
    expect(cartOf(reply)).toEqual({
      id: 'cart_1',
      user_cart_confirmation_required: true,
      payment_request: {
        method_data: [{ supported_methods: 'parley', data: {} }],
        details: {
          id: 'order_1',
          display_items: [
            { label: '2 × Margherita, large', amount: { currency: 'EUR', value: 21 }, refund_period: 1 },
            { label: '1 × Diavola, small, extra olives', amount: { currency: 'EUR', value: 8.85 }, refund_period: 1 },
            { label: 'Delivery', amount: { currency: 'EUR', value: 2.5 }, refund_period: 1 },
          ],
          total: { label: 'Total', amount: { currency: 'EUR', value: 32.35 }, refund_period: 1 },
        },
        options: {
          request_payer_name: false,
          request_payer_email: false,
          request_payer_phone: false,
          request_shipping: false,
        },
        shipping_address: { address_line: ['12 Via Roma, Florence'] },
      },
      cart_expiry: '2026-11-20T12:15:00.000Z',
      merchant_name: 'Trattoria Parley',
    });
  });

  it('sends a cart with a new id for every change, and no cart without a change', () => {
    const customer = new Customer();
    const first = cartOf(customer.say('two large margheritas, 12 Via Roma'));
    expect(customer.say('yes').text).toMatch(/^Thank you\. Your cart stands at 23\.50 EUR\./);
    expect(customer.say('What is on the diavola?').kind).toBe('question');
    const second = cartOf(customer.say('make it medium'));
    expect(second.id).not.toBe(first.id);
    expect(second.payment_request.details.total.amount.value).toBe(19.5);
    expect(cartOf(customer.say('change the address to 7 Elm Road, Cork')).id).not.toBe(second.id);
  });

  it('sends the cart again if the customer returns after it expired', () => {
    const customer = new Customer();
    const first = cartOf(customer.say('two large margheritas, 12 Via Roma'));
    const later = new Date('2026-11-20T12:15:00.001Z');
    const again = cartOf(customer.say('yes', later));
    expect(again.id).not.toBe(first.id);
    expect(new Date(again.cart_expiry).getTime() - later.getTime()).toBe(15 * 60_000);
  });

  it('asks again if the last pizza is removed', () => {
    const customer = new Customer();
    customer.say('two large margheritas, 12 Via Roma');
    expect(customer.say('remove the margheritas').text).toMatch(/^What would you like to eat\?/);
  });
});

describe('a cancellation', () => {
  it.each(['cancel', 'Never mind.', 'no, forget it', 'please cancel my order', 'cancel, I changed my mind', 'stop'])(
    'is recognized in "%s"',
    (words) => {
      const customer = new Customer();
      customer.say('two large margheritas, 12 Via Roma');
      expect(customer.say(words).kind).toBe('canceled');
      expect(customer.conversation).toEqual(newConversation());
    },
  );

  it.each(['cancel the diavola', "don't cancel", 'cancel, and a small marinara'])(
    'is not recognized in "%s"',
    (words) => {
      const customer = new Customer();
      customer.say('two large margheritas and a small diavola, 12 Via Roma');
      expect(customer.say(words).kind).not.toBe('canceled');
    },
  );
});

describe('a question about the menu', () => {
  it.each([
    ['What is on the capricciosa?', /^Capricciosa: tomato, mozzarella, ham, mushrooms, artichokes, olives\. 8\.90 EUR/],
    ['how much is a large diavola', /^Diavola: .* 7\.95 EUR \/ 9\.95 EUR \/ 12\.50 EUR\./],
    ['Which pizzas are vegetarian?', /^Without meat or fish: Margherita, Marinara, Quattro formaggi, Ortolana\./],
    ['Is the napoli vegetarian?', /^Napoli: tomato, mozzarella, anchovies, capers\. [\d. EUR/]+\n\n/],
    ['What toppings are there?', /^Extra toppings: mozzarella 1\.20 EUR, /],
    ['what does extra mozzarella cost?', /^Extra toppings|^Mozzarella as an extra costs 1\.20 EUR/],
    ['Do you have pineapple?', /^We have no pineapple\./],
    ['What sizes are there?', /^Our sizes are small \(25 cm\), medium \(30 cm\), large \(35 cm\)\./],
    ['How much is the delivery?', /^We deliver for 2\.50 EUR/],
    ['show me the menu', /^Our pizzas \(small, medium, large\):\n- Margherita: tomato, mozzarella, basil\./],
    ['Who won the match?', /^You can ask me for the menu/],
  ])('is answered without changing the order: "%s"', (question, response) => {
    const customer = new Customer();
    expect(customer.say(question).text).toMatch(response);
    expect(customer.conversation.order.lines).toEqual([]);
  });

  it('can ask for the current order’s total', () => {
    const customer = new Customer();
    customer.say('a margherita');
    expect(customer.say("what's the total?").text).toMatch(/as soon as I know the sizes/);
    customer.say('large');
    expect(customer.say('how much is it?').text).toMatch(/That is 13\.00 EUR, with 2\.50 EUR for delivery\./);
  });
});

describe('an unclear message', () => {
  it('is reported, and the question is repeated', () => {
    const customer = new Customer();
    customer.say('a margherita');
    expect(customer.say('🍕 qwertz').text).toMatch(/^I did not understand that\.\n\nWhich size/);
  });

  it('is rejected above a maximum length', () => {
    expect(new Customer().say('margherita '.repeat(1000)).text).toBe('Please keep it below 2000 characters.');
  });

  it('is answered with a request for the full address if its address is incomplete', () => {
    const customer = new Customer();
    customer.say('a large margherita');
    expect(customer.say('deliver to Dublin').text).toMatch(/^"Dublin" is not enough for our courier/);
  });
});

describe('every order’s cart', () => {
  const anyLine = fc.record({
    pizza: fc.constantFrom(...pizzas.map(({ id }) => id)),
    size: fc.constantFrom(...sizes),
    quantity: fc.integer({ min: 1, max: 10 }),
    extras: fc.uniqueArray(fc.constantFrom(...toppings.map(({ id }) => id)), { maxLength: 5 }),
    without: fc.constant<string[]>([]),
  });

  it('adds up to the cent, in numbers with at most two decimals', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 4 }), (lines) => {
        const order = { lines, wish: null, address: null };
        const { reply } = respond({ order, cart: null }, 'to 12 Via Roma', { now: noon, newId: () => 'x' });
        const { display_items: items, total } = cartOf(reply).payment_request.details;
        const expected = lines.reduce(
          (sum, { pizza, size, quantity, extras }) =>
            sum + quantity * extras.reduce((cents, id) => cents + toppingOf(id).cents, pizzaOf(pizza).cents[size]),
          DELIVERY_CENTS,
        );
        expect(total.amount.value).toBe(expected / 100);
        expect(items.reduce((sum, { amount }) => sum + Math.round(amount.value * 100), 0)).toBe(expected);
        for (const { amount } of [...items, total]) expect(JSON.stringify(amount.value)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  it('is valid for any input', () => {
    const menuWords = [
      'two',
      'large',
      'margherita',
      'with',
      'no',
      'olives',
      'make it',
      'remove',
      'and',
      'the',
      'a',
      'on',
      '?',
    ];
    const babble = fc.array(fc.oneof(fc.constantFrom(...menuWords), fc.string({ maxLength: 8 })), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(babble, { maxLength: 6 }), (messages) => {
        const customer = new Customer();
        for (const words of messages) {
          expect(customer.say(words.join(' ')).text).not.toBe('');
          for (const { quantity } of customer.conversation.order.lines) expect(quantity).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
