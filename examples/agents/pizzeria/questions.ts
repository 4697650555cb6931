import {
  DELIVERY_CENTS,
  diameterCm,
  isVegetarian,
  money,
  type Pizza,
  pizzaOf,
  pizzas,
  sizes,
  toppingOf,
  toppings,
} from './menu';
import { normalize, tokenize } from './words';

const asksForAction =
  /^(?:please )?(?:can|could|may|would|will|shall) (?:i|we|you)\b(?!.*\b(?:tell|know|explain|menu)\b)/;
const opensQuestion =
  /^(?:and |so |hi |hello )?(?:what|whats|which|how|do|does|did|is|are|menu|show|list|tell|who|when|where)\b/;

/** Returns true for "What is on the Diavola?", false for "Can I have a Diavola?". */
export function isQuestion(sentence: string): boolean {
  const words = normalize(sentence);
  if (asksForAction.test(words)) return false;
  return opensQuestion.test(words) || sentence.trim().endsWith('?') || /\bmenu\b/.test(words);
}

/**
 * Answers a question about the menu from the menu. All other questions are answered with a hint on possible questions.
 */
export function answer(question: string): string {
  const words = normalize(question);
  const named = tokenize(question);
  const asked = [...new Set(named.flatMap((token) => (token.kind === 'pizza' ? [token.id] : [])))].map(pizzaOf);
  if (/\b(?:vegan|vegetarians?|veggie|meat|meatless)\b/.test(words) && !/^(?:is|are|does)\b/.test(words))
    return vegetarianText();
  if (asked.length > 0) return asked.map(describePizza).join('\n');
  if (/\btoppings?\b|\bextras?\b/.test(words)) return toppingsText();
  const topping = named.find(({ kind }) => kind === 'topping');
  if (topping?.kind === 'topping') return toppingText(topping.id);
  const strange = /\b(?:have|sell|offer|got)\b/.test(words)
    ? named.filter(({ kind }) => kind === 'other').slice(-1)
    : [];
  if (strange[0] && !/^(?:offer|sell|got|what|which)$/.test(strange[0].text)) return `We have no ${strange[0].text}.`;
  if (/\bdeliver|\bdelivery\b/.test(words)) return `We deliver for ${money(DELIVERY_CENTS)}, whatever you order.`;
  if (/\bsizes?\b|\bbig\b|\blarge\b/.test(words)) return sizesText();
  if (
    /\bmenu\b|\bpizzas?\b|\bhave\b|\boffer\b|\bsell\b|\bprices?\b|\bcost\b|\bmuch\b|\brecommend\b|\boptions\b/.test(
      words,
    )
  )
    return menuText();
  return 'You can ask me for the menu, the sizes, the toppings, or what is on a pizza.';
}

/** Returns the whole menu as Markdown-friendly lines. */
export function menuText(): string {
  const rows = pizzas.map((pizza) => `- ${pizza.name}: ${toppingNames(pizza)}. ${prices(pizza)}`);
  return ['Our pizzas (small, medium, large):', ...rows].join('\n');
}

export function sizesText(): string {
  return `Our sizes are ${sizes.map((size) => `${size} (${diameterCm[size]} cm)`).join(', ')}.`;
}

function vegetarianText(): string {
  const names = pizzas.filter(isVegetarian).map(({ name }) => name);
  return `Without meat or fish: ${names.join(', ')}.`;
}

function toppingsText(): string {
  return `Extra toppings: ${toppings.map(({ name, cents }) => `${name} ${money(cents)}`).join(', ')}.`;
}

function toppingText(id: string): string {
  const { name, cents } = toppingOf(id);
  const carriers = pizzas.filter((pizza) => pizza.toppings.includes(id)).map((pizza) => pizza.name);
  const where = carriers.length > 0 ? `It is on: ${carriers.join(', ')}.` : 'None of our pizzas come with it.';
  return `${name[0]?.toUpperCase()}${name.slice(1)} as an extra costs ${money(cents)}. ${where}`;
}

function describePizza(pizza: Pizza): string {
  return `${pizza.name}: ${toppingNames(pizza)}. ${prices(pizza)}${isVegetarian(pizza) ? ' Vegetarian.' : ''}`;
}

function toppingNames(pizza: Pizza): string {
  return pizza.toppings.map((id) => toppingOf(id).name).join(', ');
}

function prices(pizza: Pizza): string {
  return `${sizes.map((size) => money(pizza.cents[size])).join(' / ')}.`;
}
