import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pizzaOf, pizzas, type Size, sizes, toppingOf, toppings } from '@/examples/agents/pizzeria/menu';
import { applyOperations, describeLine, emptyOrder, type Order } from '@/examples/agents/pizzeria/order';
import { readOrder } from '@/examples/agents/pizzeria/read-order';

interface OrderResult {
  lines: string[];
  notes: string[];
}

/** The order after these sentences, each line as `2 large margherita +olives -basil`. */
function orderAfter(...sentences: string[]): OrderResult {
  let order: Order = emptyOrder();
  const notes: string[] = [];
  for (const sentence of sentences) {
    const applied = applyOperations(order, readOrder(sentence));
    order = applied.order;
    notes.push(...applied.notes);
  }
  const lines = order.lines.map(({ pizza, size, quantity, extras, without }) =>
    [quantity, size ?? '?', pizza, ...extras.map((id) => `+${id}`), ...without.map((id) => `-${id}`)].join(' '),
  );
  return { lines, notes };
}

describe('the order parser', () => {
  it.each([
    ['two large margheritas and a small diavola with extra olives', ['2 large margherita', '1 small diavola +olives']],
    ['margherita x2, diavola x3', ['2 ? margherita', '3 ? diavola']],
    ['2x large Napoli without anchovies', ['2 large napoli -anchovies']],
    ['a dozen marinaras', ['12 ? marinara']],
    ['Two large and one small margherita', ['2 large margherita', '1 small margherita']],
    ['large margherita for me and a small one for my daughter', ['1 large margherita', '1 small margherita']],
    ['one margherita, one diavola, both medium', ['1 medium margherita', '1 medium diavola']],
    ['margherita large, diavola small', ['1 large margherita', '1 small diavola']],
    ['3 pizzas: 2 diavola large and one marinara small', ['2 large diavola', '1 small marinara']],
    ['Can I have a four cheese and a veggie, please?', ['1 ? quattro-formaggi', '1 ? ortolana']],
    ['a large mushroom pizza with extra cheese and no basil', ['1 large margherita +mozzarella +mushrooms -basil']],
    ['a ham and mushroom pizza', ['1 ? prosciutto-e-funghi']],
    ['a medium capricciosa without ham or olives', ['1 medium capricciosa -ham -olives']],
    ['a marghertia and a cappricciosa', ['1 ? margherita', '1 ? capricciosa']],
    ['A margherita with olives. A margherita with olives.', ['2 ? margherita +olives']],
  ])('reads "%s"', (sentence, lines) => {
    expect(orderAfter(sentence)).toEqual({ lines, notes: [] });
  });

  it('keeps a size and number until the pizzas are named', () => {
    expect(orderAfter('I would like two large pizzas', 'one margherita and one diavola').lines).toEqual([
      '1 large margherita',
      '1 large diavola',
    ]);
    expect(orderAfter('two large pizzas', 'margherita').lines).toEqual(['2 large margherita']);
  });
});

describe('a change to the order', () => {
  const order = 'two large margheritas and a small diavola with olives';

  it.each([
    ['make it medium', ['2 large margherita', '1 medium diavola +olives']],
    ['make the margheritas small', ['2 small margherita', '1 small diavola +olives']],
    ['make them all medium', ['2 medium margherita', '1 medium diavola +olives']],
    ['make the small one a marinara', ['2 large margherita', '1 small marinara +olives']],
    ['actually make it three', ['2 large margherita', '3 small diavola +olives']],
    ['remove the diavola', ['2 large margherita']],
    ['no diavola', ['2 large margherita']],
    ['remove one margherita', ['1 large margherita', '1 small diavola +olives']],
    ['cancel the large ones', ['1 small diavola +olives']],
    ['only one margherita', ['1 large margherita', '1 small diavola +olives']],
    ['change one margherita to a napoli', ['1 large napoli', '1 large margherita', '1 small diavola +olives']],
    ['swap the diavola for a marinara', ['2 large margherita', '1 small marinara +olives']],
    ['a marinara instead of the diavola', ['2 large margherita', '1 ? marinara']],
    ['no olives on the diavola', ['2 large margherita', '1 small diavola']],
    ['olives on the margheritas', ['2 large margherita +olives', '1 small diavola +olives']],
    ['add capers to the diavola', ['2 large margherita', '1 small diavola +capers +olives']],
    ['add capers to both', ['2 large margherita +capers', '1 small diavola +capers +olives']],
    ['extra cheese on both', ['2 large margherita +mozzarella', '1 small diavola +mozzarella +olives']],
    ['hold the chilli', ['2 large margherita', '1 small diavola +olives -chilli']],
    ['swap the olives for capers', ['2 large margherita', '1 small diavola +capers']],
    ['add another diavola', ['2 large margherita', '1 small diavola +olives', '1 ? diavola']],
    [
      'make the diavola large and add a small marinara',
      ['2 large margherita', '1 large diavola +olives', '1 small marinara'],
    ],
  ])('is applied: "%s"', (change, lines) => {
    expect(orderAfter(order, change)).toEqual({ lines, notes: [] });
  });

  it.each([
    ['large', ['2 large margherita', '1 large diavola']],
    ['large for the margheritas and small for the diavola', ['2 large margherita', '1 small diavola']],
    ['the diavola small, the margheritas large', ['2 large margherita', '1 small diavola']],
    ['one large, the others medium', ['1 large margherita', '1 medium margherita', '1 medium diavola']],
  ])('sets an open size: "%s"', (reply, lines) => {
    expect(orderAfter('two margheritas and a diavola', reply)).toEqual({ lines, notes: [] });
  });
});

describe('an impossible request', () => {
  it.each([
    ['a large hawaiian', 'I do not know "hawaiian"; it is not on our menu.'],
    ['a margherita with pineapple', 'I do not know "pineapple"; it is not on our menu.'],
    ['0 margheritas', 'I can only make whole pizzas, not 0 of them.'],
    ['1.5 margheritas', 'I can only make whole pizzas, not 1.5 of them.'],
    ['-2 margheritas', 'I can only make whole pizzas, not -2 of them.'],
    ['1000 margheritas', '1000 is too many: we bake up to 20 of one kind and 40 in total per order.'],
    ['remove the diavola', 'There is no Diavola in your order.'],
    ['a marinara without olives', 'There is no olives on the Marinara anyway.'],
  ])('is reported and does not change the order: "%s"', (sentence, note) => {
    expect(orderAfter('a small napoli', sentence).notes).toEqual([note]);
  });

  it('cannot raise an order above forty pizzas', () => {
    const { lines, notes } = orderAfter('20 margheritas', '20 diavolas', 'one marinara');
    expect(lines).toEqual(['20 ? margherita', '20 ? diavola']);
    expect(notes).toHaveLength(1);
  });
});

const anyLine = fc
  .record({
    pizza: fc.constantFrom(...pizzas.map(({ id }) => id)),
    size: fc.constantFrom<Size>(...sizes),
    quantity: fc.integer({ min: 1, max: 9 }),
    extras: fc.uniqueArray(fc.constantFrom(...toppings.map(({ id }) => id)), { maxLength: 3 }),
    without: fc.nat(),
  })
  .map((line) => {
    const own = pizzaOf(line.pizza).toppings;
    const removed = own[line.without % own.length] ?? '';
    const without = line.extras.includes(removed) ? [] : [removed];
    return { ...line, extras: line.extras.sort(), without };
  });

const anyOrder = fc.uniqueArray(anyLine, { minLength: 1, maxLength: 4, selector: ({ pizza }) => pizza });

describe('a valid order', () => {
  it('is read whatever its wording', () => {
    const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    fc.assert(
      fc.property(anyOrder, fc.boolean(), (lines, spelled) => {
        const sentence = lines
          .map(({ pizza, size, quantity, extras, without }) => {
            const start = `${spelled ? words[quantity] : quantity} ${size} ${pizzaOf(pizza).name}`;
            const plus = extras.length > 0 ? ` with ${extras.map((id) => toppingOf(id).name).join(' and ')}` : '';
            const minus = without.length > 0 ? ` without ${without.map((id) => toppingOf(id).name).join(' and ')}` : '';
            return start + plus + minus;
          })
          .join(', ');
        const { order, notes } = applyOperations(emptyOrder(), readOrder(sentence));
        expect(notes).toEqual([]);
        expect(order.lines).toEqual(lines);
        expect(order.lines.map(describeLine)).toEqual(lines.map(describeLine));
      }),
    );
  });
});
