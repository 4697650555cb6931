import type { Token } from './lexicon';
import { BASE_PIZZA, type Size } from './menu';
import {
  adjustment,
  type Mention,
  type Operation,
  pizzaFollows,
  sizeBefore,
  type ToppingMode,
  targetOf,
} from './operations';

/** The known properties of a pizza whose name has not been read yet. */
interface Pending {
  quantity: number | null;
  size: Size | null;
  definite: boolean;
  more: boolean;
  only: boolean;
  /** A quantity or a size was read, so a pizza must follow. */
  announced: boolean;
  /** Words that are not on the menu. */
  words: string[];
}

function nothingPending(): Pending {
  return { quantity: null, size: null, definite: false, more: false, only: false, announced: false, words: [] };
}

type Toppings = Record<ToppingMode, string[]>;

/** Reads a clause with an order: quantities and sizes before a pizza, toppings after it. */
export class OrderReader {
  private readonly operations: Operation[] = [];
  private pending = nothingPending();
  private current: Mention | null = null;
  private mode: ToppingMode | null = null;
  /** Toppings without a pizza so far. */
  private loose: Toppings = { extras: [], without: [] };
  /** "Two large and one small margherita": sizes that precede the pizza they share. */
  private shared: { quantity: number | null; size: Size | null }[] = [];
  private at = 0;

  constructor(private readonly tokens: Token[]) {}

  read(): Operation[] {
    for (; this.at < this.tokens.length; this.at += 1) {
      const token = this.tokens[this.at];
      if (token) this.take(token);
    }
    this.settle();
    this.wishForShared();
    return this.operations;
  }

  private take(token: Token): void {
    switch (token.kind) {
      case 'number':
        this.takeNumber(token.value, token.text);
        break;
      case 'article':
        this.announce(1);
        break;
      case 'size':
        this.takeSize(token.size);
        break;
      case 'pizza':
        this.takePizza(token.id);
        break;
      case 'topping':
        this.takeTopping(token.id);
        break;
      case 'pizza-word':
        this.takePizzaWord();
        break;
      case 'on':
        this.takeTarget();
        break;
      case 'to':
        if (this.hasLoose()) this.takeTarget();
        break;
      case 'instead-of':
        this.takeInsteadOf();
        break;
      default:
        this.takeSmallWord(token);
    }
  }

  private takeSmallWord({ kind, text }: Token): void {
    const { pending } = this;
    if (kind === 'with') this.mode = 'extras';
    else if (kind === 'without') this.mode = 'without';
    else if (kind === 'definite' || kind === 'more' || kind === 'only') pending[kind] = true;
    else if (kind === 'other' && (pending.announced || this.mode !== null)) pending.words.push(text);
    else if (kind === 'all' || (kind === 'and' && pending.words.length > 0)) this.settle();
  }

  private takeNumber(value: number, text: string): void {
    const next = this.next()?.kind;
    const closesPizza = this.tokens[this.at - 1]?.kind === 'pizza' && (next === undefined || next === 'and');
    if (text === 'one' && this.pending.size && !pizzaFollows(this.tokens, this.at)) this.takeOne();
    else if (closesPizza && this.current?.quantity === null) this.current.quantity = value;
    else this.announce(value);
  }

  private announce(quantity: number): void {
    if (this.mode !== null && this.next()?.kind === 'topping') return;
    const { definite, more, only } = this.pending;
    this.settle();
    this.mode = null;
    this.pending = { ...nothingPending(), definite, more, only, announced: true, quantity };
  }

  private takeSize(size: Size): void {
    if (this.pending.announced || this.pizzaIsNamedNext()) {
      const before = this.tokens[this.at - 1]?.kind;
      if (before === 'and') this.settle();
      this.pending = { ...this.pending, size, announced: true };
      this.mode = null;
    } else if (this.current?.size === null && this.tokens[this.at - 1]?.kind !== 'all') {
      this.current.size = size;
    } else {
      this.wishForShared();
      this.operations.push(adjustment({ kind: 'last' }, { size }));
    }
  }

  /** Handles "one large, the others small": sizes for pizzas that were ordered earlier. */
  private wishForShared(): void {
    this.operations.push(...this.shared.map((share) => ({ kind: 'wish' as const, ...share })));
    this.shared = [];
  }

  private takePizza(pizza: string): void {
    if (this.mode === 'without' && !this.pending.announced) {
      this.operations.push({ kind: 'remove', target: { kind: 'pizza', pizza, size: null }, quantity: null });
      this.pending = nothingPending();
    } else {
      this.mention(pizza);
    }
  }

  private mention(pizza: string): void {
    const { quantity, size, definite, more, only } = this.pending;
    for (const share of this.shared) {
      this.operations.push({ kind: 'mention', pizza, definite, more, only, extras: [], without: [], ...share });
    }
    this.current = { kind: 'mention', pizza, size, quantity, definite, more, only, ...this.loose };
    this.operations.push(this.current);
    this.shared = [];
    this.pending = nothingPending();
    this.loose = { extras: [], without: [] };
    this.mode = null;
  }

  private takeTopping(id: string): void {
    const mode = this.mode ?? 'extras';
    if (this.pending.announced || !this.current) this.loose[mode].push(id);
    else this.current[mode].push(id);
  }

  /** Handles "a large margherita and a small one": the same pizza again. */
  private takeOne(): void {
    if (this.current) this.mention(this.current.pizza);
    else this.takePizzaWord();
  }

  /**
   * Reads "a mushroom pizza" as a Margherita with mushrooms, and "two large pizzas" as a wish until their kind is
   * given.
   */
  private takePizzaWord(): void {
    const { words, announced, quantity, size } = this.pending;
    if (words.length > 0 || pizzaFollows(this.tokens, this.at)) return;
    if (this.loose.extras.length > 0) this.mention(BASE_PIZZA);
    else if (announced) {
      this.operations.push({ kind: 'wish', quantity, size });
      this.pending = nothingPending();
    }
  }

  /**
   * Handles "olives on the diavola" and "add olives to both": the preceding toppings belong to another pizza than the
   * last one.
   */
  private takeTarget(): void {
    const passedOver = ['definite', 'article', 'size', 'filler'];
    const index = this.tokens.findIndex(({ kind }, at) => at > this.at && !passedOver.includes(kind));
    const target = targetOf(this.tokens[index], sizeBefore(this.tokens, index));
    if (target === null) return;
    const toppings = this.hasLoose() ? this.loose : this.takeBackToppings();
    this.operations.push(adjustment(target, toppings));
    this.loose = { extras: [], without: [] };
    this.pending = nothingPending();
    this.at = index;
  }

  private takeBackToppings(): Toppings {
    if (!this.current) return { extras: [], without: [] };
    const { extras, without } = this.current;
    [this.current.extras, this.current.without] = [[], []];
    return { extras, without };
  }

  private takeInsteadOf(): void {
    const index = this.tokens.findIndex(({ kind }, at) => at > this.at && kind === 'pizza');
    const target = targetOf(this.tokens[index], sizeBefore(this.tokens, index));
    if (target === null) return;
    this.operations.push({ kind: 'remove', target, quantity: null });
    this.at = index;
  }

  /** Resolves pizzas that were announced but not specified. */
  private settle(): void {
    const { announced, quantity, size, words } = this.pending;
    if (words.length > 0) this.operations.push({ kind: 'unknown', words: words.join(' ') });
    else if (announced && this.loose.extras.length > 0) this.mention(BASE_PIZZA);
    else if (size !== null) this.shared.push({ quantity, size });
    if (this.hasLoose()) this.operations.push(adjustment({ kind: 'last' }, this.loose));
    this.loose = { extras: [], without: [] };
    this.pending = nothingPending();
  }

  private hasLoose(): boolean {
    return this.loose.extras.length + this.loose.without.length > 0;
  }

  private next(): Token | undefined {
    return this.tokens[this.at + 1];
  }

  /**
   * Returns true before "margherita", "for the margherita", "ham and mushroom pizza", and before a name that is not on
   * the menu.
   */
  private pizzaIsNamedNext(): boolean {
    const rest = this.tokens.slice(this.at + 1);
    const end = rest.findIndex(({ kind }) => kind !== 'topping' && kind !== 'and');
    const nameless = rest[0]?.kind === 'topping' && rest[end]?.kind === 'pizza-word';
    return nameless || rest[0]?.kind === 'other' || pizzaFollows(this.tokens, this.at, ['to', 'definite']);
  }
}
