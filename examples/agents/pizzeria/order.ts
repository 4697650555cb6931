import { pizzaOf, type Size, toppingOf } from './menu';
import type { Adjustment, Mention, Operation, Target } from './operations';

/** One line of an order: a pizza and its quantity. The size may still be open. */
export interface Line {
  pizza: string;
  size: Size | null;
  quantity: number;
  extras: string[];
  without: string[];
}

export interface Order {
  lines: Line[];
  /** "Two large pizzas", while their kind is open. */
  wish: { quantity: number | null; size: Size | null } | null;
  address: string | null;
}

const MAX_PER_LINE = 20;
const MAX_PIZZAS = 40;

export function emptyOrder(): Order {
  return { lines: [], wish: null, address: null };
}

function pizzasIn(order: Order): number {
  return order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Formats a line: `2 × Margherita, large, extra olives, no basil`. */
export function describeLine({ pizza, size, quantity, extras, without }: Line): string {
  const words = [`${quantity} × ${pizzaOf(pizza).name}`];
  if (size) words.push(size);
  words.push(...extras.map((id) => `extra ${toppingOf(id).name}`), ...without.map((id) => `no ${toppingOf(id).name}`));
  return words.join(', ');
}

/**
 * Applies the operations read from the customer's message. Returns a new order, and remarks on operations that could
 * not be applied.
 */
export function applyOperations(order: Order, operations: Operation[]): { order: Order; notes: string[] } {
  const draft = new Draft(structuredClone(order));
  for (const operation of operations) draft.apply(operation);
  return { order: draft.finish(), notes: draft.notes };
}

class Draft {
  readonly notes: string[] = [];
  /** Lines from before this message; only these are meant by "the diavola" or by a bare size. */
  private readonly earlier: Set<Line>;
  /** True once a pizza was added, which completes all open wishes. */
  private named = false;

  constructor(private readonly order: Order) {
    this.earlier = new Set(order.lines);
  }

  apply(operation: Operation): void {
    if (operation.kind === 'mention') this.mention(operation);
    else if (operation.kind === 'wish') this.wish(operation.quantity, operation.size);
    else if (operation.kind === 'adjust') this.adjust(operation);
    else if (operation.kind === 'remove') this.takeAway(operation.target, operation.quantity);
    else if (operation.kind === 'replace') this.replace(operation);
    else this.notes.push(`I do not know "${operation.words}"; it is not on our menu.`);
  }

  /** Merges equal lines; a wish ends with the message that specifies a pizza. */
  finish(): Order {
    const merged = new Map<string, Line>();
    for (const line of this.order.lines) {
      line.extras.sort();
      line.without.sort();
      const key = JSON.stringify({ ...line, quantity: 0 });
      const same = merged.get(key);
      if (same && same.quantity + line.quantity <= MAX_PER_LINE) same.quantity += line.quantity;
      else merged.set(same ? `${key}${merged.size}` : key, line);
    }
    return { ...this.order, lines: [...merged.values()], wish: this.named ? null : this.order.wish };
  }

  private mention(mention: Mention): void {
    const { pizza, size, quantity, more, only } = mention;
    const known = this.order.lines.filter((line) => line.pizza === pizza && this.earlier.has(line));
    const open = known.filter((line) => line.size === null);
    if (size !== null && !more && open.length > 0) {
      this.changeToppings(this.giveSize(open, size, quantity), mention);
      return;
    }
    const changesToppings = mention.extras.length + mention.without.length > 0;
    const refersBack = known.length > 0 && (only || (mention.definite && (!more || changesToppings)));
    if (!refersBack) {
      this.add(mention);
      return;
    }
    const meant = this.narrow(known, size);
    if (only) this.setQuantity(meant, quantity ?? 1);
    if (size !== null) for (const line of meant) line.size = size;
    this.changeToppings(meant, mention);
  }

  private add({ pizza, size, quantity, extras, without }: Mention): void {
    const { wish } = this.order;
    const line: Line = { pizza, size: size ?? wish?.size ?? null, quantity: 0, extras: [], without: [] };
    const wanted = quantity ?? (this.order.lines.length === 0 ? wish?.quantity : null) ?? 1;
    if (!this.isPossible(wanted, wanted)) return;
    line.quantity = wanted;
    this.named = true;
    this.order.lines.push(line);
    this.changeToppings([line], { extras, without });
  }

  private wish(quantity: number | null, size: Size | null): void {
    const open = this.order.lines.filter((line) => line.size === null);
    if (size !== null && open.length > 0) this.giveSize(open, size, quantity);
    else if (quantity === null || this.isPossible(quantity, quantity)) this.order.wish = { quantity, size };
  }

  private adjust({ target, size, quantity, extras, without }: Adjustment): void {
    if (this.order.lines.length === 0) {
      if (size !== null) this.order.wish = { quantity, size };
      if (extras.length + without.length > 0) this.notes.push('Tell me first which pizza that is for.');
      return;
    }
    const open = this.order.lines.filter((line) => line.size === null);
    if (size !== null && target.kind === 'last' && open.length > 0) {
      this.giveSize(open, size, quantity);
      return;
    }
    const lines = this.find(target);
    if (size !== null) for (const line of lines) line.size = size;
    if (quantity !== null) this.setQuantity(lines, quantity);
    this.changeToppings(lines, { extras, without });
  }

  private replace({ target, quantity, pizza, size }: Operation & { kind: 'replace' }): void {
    const lines = this.find(target);
    for (const line of quantity === null ? lines : this.takeOut(lines, quantity)) {
      line.pizza = pizza;
      line.size = size ?? line.size;
      line.without = line.without.filter((id) => pizzaOf(pizza).toppings.includes(id));
    }
  }

  private takeAway(target: Target, quantity: number | null): void {
    if (this.order.wish && target.kind === 'last') this.order.wish = null;
    else this.remove(this.find(target), quantity);
  }

  private remove(lines: Line[], quantity: number | null): void {
    const gone = new Set(quantity === null ? lines : this.takeOut(lines, quantity));
    this.order.lines = this.order.lines.filter((line) => !gone.has(line));
  }

  /** Assigns a size to the open lines; with a quantity, only to that many pizzas. */
  private giveSize(open: Line[], size: Size, quantity: number | null): Line[] {
    const lines = quantity === null ? open : this.takeOut(open, quantity);
    for (const line of lines) line.size = size;
    return lines;
  }

  /** Splits lines so that some of them contain exactly that many pizzas, or as many as there are. */
  private takeOut(lines: Line[], quantity: number): Line[] {
    const taken: Line[] = [];
    let left = quantity;
    for (const line of lines) {
      if (left < 1) break;
      if (line.quantity > left) {
        const rest = { ...structuredClone(line), quantity: line.quantity - left };
        this.order.lines.splice(this.order.lines.indexOf(line) + 1, 0, rest);
        this.earlier.add(rest);
        line.quantity = left;
      }
      taken.push(line);
      left -= line.quantity;
    }
    return taken;
  }

  private setQuantity(lines: Line[], quantity: number): void {
    for (const line of lines) {
      if (quantity === 0) this.remove([line], null);
      else if (this.isPossible(quantity, quantity - line.quantity)) line.quantity = quantity;
    }
  }

  private changeToppings(lines: Line[], { extras, without }: { extras: string[]; without: string[] }): void {
    for (const line of lines) {
      for (const id of new Set(extras)) {
        if (line.without.includes(id)) line.without = line.without.filter((other) => other !== id);
        else if (!line.extras.includes(id)) line.extras.push(id);
      }
      for (const id of new Set(without)) this.leaveOut(line, id);
    }
  }

  private leaveOut(line: Line, id: string): void {
    const { name, toppings } = pizzaOf(line.pizza);
    if (line.extras.includes(id)) line.extras = line.extras.filter((other) => other !== id);
    else if (!toppings.includes(id)) this.notes.push(`There is no ${toppingOf(id).name} on the ${name} anyway.`);
    else if (!line.without.includes(id)) line.without.push(id);
  }

  private find(target: Target): Line[] {
    const { lines } = this.order;
    if (lines.length === 0) this.notes.push('There is nothing in your order yet.');
    if (target.kind === 'all') return lines;
    if (target.kind === 'last') return lines.slice(-1);
    const isMeant = (line: Line): boolean =>
      target.kind === 'size' ? line.size === target.size : line.pizza === target.pizza;
    const found = this.narrow(lines.filter(isMeant), target.size);
    const name = target.kind === 'size' ? `${target.size} pizza` : pizzaOf(target.pizza).name;
    if (found.length === 0 && lines.length > 0) this.notes.push(`There is no ${name} in your order.`);
    return found;
  }

  /** Returns the lines of this size, or all lines if there are none. */
  private narrow(lines: Line[], size: Size | null): Line[] {
    const ofSize = lines.filter((line) => line.size === size);
    return ofSize.length > 0 ? ofSize : lines;
  }

  private isPossible(quantity: number, added: number): boolean {
    if (!Number.isInteger(quantity) || quantity < 1) {
      this.notes.push(`I can only make whole pizzas, not ${quantity} of them.`);
      return false;
    }
    if (quantity > MAX_PER_LINE || pizzasIn(this.order) + added > MAX_PIZZAS) {
      this.notes.push(
        `${quantity} is too many: we bake up to ${MAX_PER_LINE} of one kind and ${MAX_PIZZAS} in total per order.`,
      );
      return false;
    }
    return true;
  }
}
