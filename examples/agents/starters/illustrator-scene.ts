import { colors, shapeOf } from './illustrator-shapes';

export type Time = 'day' | 'sunset' | 'night';
type Weather = 'rain' | 'snow' | 'storm' | 'fog' | 'clouds';
export type Relation = 'between' | 'on' | 'above' | 'below' | 'next to' | 'behind' | 'in front of';

/** Something to draw. */
export interface Item {
  name: string;
  count: number;
  /** Hex; null for the default color of the shape. */
  color: string | null;
  colorName: string;
  scale: number;
  /** 0 is left, 1 is right; null to place it where there is room. */
  x: number | null;
  /** Relation to another item, by its index in `items`. */
  relation: { kind: Relation; to: number } | null;
}

export interface Scene {
  items: Item[];
  time: Time;
  weather: Weather[];
  /** Words without a meaning here, in order. */
  unknown: string[];
  /** True if neither weather nor time was mentioned. */
  isPlain: boolean;
}

const MAX_COUNT = 12;
const MAX_ITEMS = 24;
/** Of a word that is repeated to the caller, UTF-16 code units. */
const MAX_WORD = 40;

const sizes: Record<string, number> = {
  tiny: 0.45,
  little: 0.65,
  small: 0.65,
  big: 1.4,
  large: 1.4,
  tall: 1.4,
  huge: 1.9,
  giant: 1.9,
};
const positions: Record<string, number> = { left: 0.18, right: 0.82, center: 0.5, centre: 0.5, middle: 0.5 };
const numbers = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const vague: Record<string, number> = { couple: 2, few: 3, some: 3, several: 4, many: 7, dozen: 12, lots: 7, pair: 2 };
const times: Record<string, Time> = {
  day: 'day',
  daytime: 'day',
  morning: 'day',
  noon: 'day',
  sunset: 'sunset',
  sunrise: 'sunset',
  evening: 'sunset',
  dusk: 'sunset',
  dawn: 'sunset',
  night: 'night',
  midnight: 'night',
};
const weathers: Record<string, Weather> = {
  rain: 'rain',
  rainy: 'rain',
  raining: 'rain',
  snow: 'snow',
  snowy: 'snow',
  snowing: 'snow',
  winter: 'snow',
  storm: 'storm',
  stormy: 'storm',
  lightning: 'storm',
  thunderstorm: 'storm',
  fog: 'fog',
  foggy: 'fog',
  mist: 'fog',
  misty: 'fog',
  cloudy: 'clouds',
  overcast: 'clouds',
};
const relations: [RegExp, Relation][] = [
  [/^between\b/, 'between'],
  [/^in front of\b/, 'in front of'],
  [/^(?:next to|beside|near|by|at)\b/, 'next to'],
  [/^(?:on top of|on|in)\b/, 'on'],
  [/^(?:above|over)\b/, 'above'],
  [/^(?:below|under|beneath)\b/, 'below'],
  [/^behind\b/, 'behind'],
];
/** Words that have no effect. */
const filler = new Set(
  (
    'a an the and or with of to is are be there it its me my please can could would you i want like draw drawing paint sketch make ' +
    'show picture image illustration scene add also now put change side far standing sitting flying sailing growing shining ' +
    'falling weather time sky ground landscape view background foreground very beautiful nice pretty cute lovely this ' +
    'that some which has have few one from in on at by for as into top so roof sunny clear light bright'
  ).split(' '),
);

interface Reading {
  scene: Scene;
  /** Properties from the words before the next noun. */
  pending: Partial<Item>;
  relation: Relation | null;
  /** "the": preferably an existing item. */
  isDefinite: boolean;
}

/** Reads a description, word by word. A word before a noun describes it; a position may follow it. */
export function readScene(description: string): Scene {
  const scene: Scene = { items: [], time: 'day', weather: [], unknown: [], isPlain: true };
  const reading: Reading = { scene, pending: {}, relation: null, isDefinite: false };
  let rest = description.toLowerCase();
  for (;;) {
    rest = rest.replace(/^[^\p{L}\d]+/u, '');
    const [word] = /^[\p{L}\d'-]+/u.exec(rest) ?? [];
    if (word === undefined) return scene;
    const found = relations.find(([pattern]) => pattern.test(rest));
    if (found) reading.relation = found[1];
    else if (!(readNoun(reading, word) || readMood(reading, word) || readAdjective(reading, word))) {
      if (!filler.has(word)) addUnknown(reading, word);
    }
    rest = rest.slice(found ? (found[0].exec(rest)?.[0].length ?? 1) : word.length);
  }
}

/** Reads an item: a new one, or an existing one to which the last item has a relation. */
function readNoun(reading: Reading, word: string): boolean {
  const shape = shapeOf(word);
  if (!shape) return false;
  const { items } = reading.scene;
  const last = items.length - 1;
  const known = reading.isDefinite ? items.findIndex(({ name }) => name === shape) : -1;
  if (known < 0 && items.length < MAX_ITEMS) items.push({ ...newItem(shape), ...reading.pending });
  const to = known < 0 ? last + 1 : known;
  const placed = items[last];
  if (placed && reading.relation && to !== last && to < items.length)
    placed.relation ??= { kind: reading.relation, to };
  startOver(reading);
  return true;
}

/** Returns the time of day, or the weather. */
function readMood(reading: Reading, word: string): boolean {
  const { scene } = reading;
  const time = meaning(times, word);
  const weather = meaning(weathers, word);
  if (!time && !weather) return false;
  if (time) scene.time = time;
  if (weather && !scene.weather.includes(weather)) scene.weather.push(weather);
  scene.isPlain = false;
  reading.relation = null;
  return true;
}

/** A position, color, size or number. */
function readAdjective(reading: Reading, word: string): boolean {
  const { scene, pending } = reading;
  const x = meaning(positions, word);
  const placed = scene.items.at(-1);
  if (x !== undefined) {
    if (placed && placed.x === null && Object.keys(pending).length === 0) placed.x = x;
    else pending.x = x;
    reading.relation = null;
  } else if (meaning(colors, word)) Object.assign(pending, { color: meaning(colors, word), colorName: word });
  else if (meaning(sizes, word)) pending.scale = meaning(sizes, word);
  else if (numbers.includes(word) || meaning(vague, word) || /^\d+$/.test(word)) {
    const count = meaning(vague, word) ?? (numbers.includes(word) ? numbers.indexOf(word) : Number(word));
    pending.count = Math.min(MAX_COUNT, Math.max(1, count));
  } else if (word === 'the') reading.isDefinite = true;
  else return false;
  return true;
}

/** Returns the own entry of a table for a word. Words such as "constructor" are members of every object. */
function meaning<Value>(table: Record<string, Value>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function addUnknown(reading: Reading, word: string): void {
  const { unknown } = reading.scene;
  if (!unknown.includes(word) && unknown.length < MAX_ITEMS) unknown.push(word.slice(0, MAX_WORD));
  startOver(reading);
}

function startOver(reading: Reading): void {
  Object.assign(reading, { pending: {}, relation: null, isDefinite: false });
}

function newItem(name: string): Item {
  return { name, count: 1, color: null, colorName: '', scale: 1, x: null, relation: null };
}
