/** All prices are whole cents of this currency. */
export const CURRENCY = 'EUR';
export const DELIVERY_CENTS = 250;

export const sizes = ['small', 'medium', 'large'] as const;
export type Size = (typeof sizes)[number];
export const diameterCm: Record<Size, number> = { small: 25, medium: 30, large: 35 };

export interface Topping {
  id: string;
  name: string;
  /** Price of one extra portion. */
  cents: number;
  vegetarian: boolean;
  /** Synonyms that customers use. */
  aliases: string[];
}

export interface Pizza {
  id: string;
  name: string;
  toppings: string[];
  cents: Record<Size, number>;
  aliases: string[];
}

export const toppings: Topping[] = [
  { id: 'mozzarella', name: 'mozzarella', cents: 120, vegetarian: true, aliases: ['cheese'] },
  { id: 'gorgonzola', name: 'gorgonzola', cents: 150, vegetarian: true, aliases: ['blue cheese'] },
  { id: 'parmesan', name: 'parmesan', cents: 120, vegetarian: true, aliases: ['parmigiano', 'grana'] },
  { id: 'tomato', name: 'tomato', cents: 60, vegetarian: true, aliases: ['tomatoes', 'tomato sauce'] },
  { id: 'basil', name: 'basil', cents: 50, vegetarian: true, aliases: [] },
  { id: 'garlic', name: 'garlic', cents: 50, vegetarian: true, aliases: [] },
  { id: 'olives', name: 'olives', cents: 90, vegetarian: true, aliases: ['olive', 'black olives'] },
  { id: 'mushrooms', name: 'mushrooms', cents: 100, vegetarian: true, aliases: ['mushroom', 'funghi'] },
  { id: 'onions', name: 'onions', cents: 70, vegetarian: true, aliases: ['onion', 'red onions'] },
  { id: 'peppers', name: 'peppers', cents: 90, vegetarian: true, aliases: ['pepper', 'bell peppers', 'paprika'] },
  { id: 'aubergine', name: 'aubergine', cents: 100, vegetarian: true, aliases: ['aubergines', 'eggplant'] },
  { id: 'artichokes', name: 'artichokes', cents: 130, vegetarian: true, aliases: ['artichoke'] },
  { id: 'rocket', name: 'rocket', cents: 80, vegetarian: true, aliases: ['arugula', 'rucola'] },
  { id: 'capers', name: 'capers', cents: 70, vegetarian: true, aliases: [] },
  {
    id: 'chilli',
    name: 'chilli',
    cents: 50,
    vegetarian: true,
    aliases: ['chili', 'chillies', 'chilies', 'hot peppers'],
  },
  { id: 'anchovies', name: 'anchovies', cents: 130, vegetarian: false, aliases: ['anchovy'] },
  { id: 'ham', name: 'ham', cents: 140, vegetarian: false, aliases: ['prosciutto', 'cooked ham'] },
  { id: 'salami', name: 'spicy salami', cents: 150, vegetarian: false, aliases: ['salami', 'pepperoni', 'salame'] },
];

export const pizzas: Pizza[] = [
  {
    id: 'margherita',
    name: 'Margherita',
    toppings: ['tomato', 'mozzarella', 'basil'],
    cents: { small: 650, medium: 850, large: 1050 },
    aliases: ['margarita', 'margherite', 'cheese pizza', 'plain pizza'],
  },
  {
    id: 'marinara',
    name: 'Marinara',
    toppings: ['tomato', 'garlic', 'basil'],
    cents: { small: 550, medium: 750, large: 950 },
    aliases: ['marinare'],
  },
  {
    id: 'diavola',
    name: 'Diavola',
    toppings: ['tomato', 'mozzarella', 'salami', 'chilli'],
    cents: { small: 795, medium: 995, large: 1250 },
    aliases: ['diavolo', 'diavole'],
  },
  {
    id: 'napoli',
    name: 'Napoli',
    toppings: ['tomato', 'mozzarella', 'anchovies', 'capers'],
    cents: { small: 795, medium: 995, large: 1250 },
    aliases: ['napoletana'],
  },
  {
    id: 'capricciosa',
    name: 'Capricciosa',
    toppings: ['tomato', 'mozzarella', 'ham', 'mushrooms', 'artichokes', 'olives'],
    cents: { small: 890, medium: 1140, large: 1390 },
    aliases: ['capriciosa', 'capricciose'],
  },
  {
    id: 'prosciutto-e-funghi',
    name: 'Prosciutto e funghi',
    toppings: ['tomato', 'mozzarella', 'ham', 'mushrooms'],
    cents: { small: 850, medium: 1050, large: 1295 },
    aliases: ['prosciutto funghi', 'prosciutto and funghi', 'ham and mushroom pizza', 'ham and mushrooms pizza'],
  },
  {
    id: 'quattro-formaggi',
    name: 'Quattro formaggi',
    toppings: ['mozzarella', 'gorgonzola', 'parmesan'],
    cents: { small: 850, medium: 1090, large: 1340 },
    aliases: ['four cheese', 'four cheeses', '4 cheese', '4 cheeses', 'quattro', '4 formaggi'],
  },
  {
    id: 'ortolana',
    name: 'Ortolana',
    toppings: ['tomato', 'mozzarella', 'peppers', 'aubergine', 'onions'],
    cents: { small: 795, medium: 995, large: 1250 },
    aliases: ['vegetarian pizza', 'veggie', 'vegetariana', 'vegetable pizza'],
  },
];

/** The pizza to which toppings without a pizza apply: "a large mushroom pizza". */
export const BASE_PIZZA = 'margherita';

/** @throws {Error} for an id that the menu does not have */
export function pizzaOf(id: string): Pizza {
  const pizza = pizzas.find((candidate) => candidate.id === id);
  if (!pizza) throw new Error(`no pizza ${id} on the menu`);
  return pizza;
}

/** @throws {Error} for an id that the menu does not have */
export function toppingOf(id: string): Topping {
  const topping = toppings.find((candidate) => candidate.id === id);
  if (!topping) throw new Error(`no topping ${id} on the menu`);
  return topping;
}

export function isVegetarian(pizza: Pizza): boolean {
  return pizza.toppings.every((id) => toppingOf(id).vegetarian);
}

/** Formats whole cents: 1250 is `12.50 EUR`. */
export function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${CURRENCY}`;
}
