import type { Item, Relation, Scene, Time } from './illustrator-scene';
import { shapeNamed } from './illustrator-shapes';

const WIDTH = 800;
const HEIGHT = 500;
const HORIZON = 330;
/** The line on which things stand. */
const GROUND = 440;

const skies: Record<Time, [top: string, bottom: string]> = {
  day: ['#6db3e8', '#d8eefb'],
  sunset: ['#5b4a8a', '#f3a26b'],
  night: ['#0f1a3a', '#2d3f6e'],
};
const grounds: Record<Time, string> = { day: '#7cbb5e', sunset: '#6f8a4c', night: '#2f4f3a' };

interface Box {
  x: number;
  y: number;
  size: number;
}

/** Draws the picture as SVG: only fixed shapes and numbers, without scripts, links or text of the caller. */
export function draw(scene: Scene): string {
  const { time, weather } = scene;
  const [top, bottom] =
    weather.some((kind) => kind !== 'snow') && time === 'day' ? ['#8b98a6', '#cfd6dc'] : skies[time];
  const ground = weather.includes('snow') ? (time === 'night' ? '#a9b7d6' : '#f1f5fb') : grounds[time];
  const layers = { sky: '', far: '', water: '', ground: '' };
  const all = [...impliedItems(scene), ...scene.items];
  for (const { item, box } of place(all, scene.items)) {
    if (item.name === 'sun' && time === 'sunset') box.y = HORIZON - box.size * 0.6;
    const { layer, color, draw: shape } = shapeNamed(item.name);
    const isStretched = item.name === 'sea';
    const scale = `${round(box.size / 100)}${isStretched ? ` ${round((HEIGHT - HORIZON) / 100)}` : ''}`;
    layers[layer] +=
      `<g transform="translate(${round(box.x)} ${round(box.y)}) scale(${scale})">${shape(item.color ?? color)}</g>`;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>${layers.sky}${layers.far}` +
    `<rect y="${HORIZON}" width="${WIDTH}" height="${HEIGHT - HORIZON}" fill="${ground}"/>${layers.water}${layers.ground}` +
    `${time === 'night' ? `<rect width="${WIDTH}" height="${HEIGHT}" fill="#0b1233" opacity="0.28"/>` : ''}` +
    `${weather.map(drawWeather).join('')}</svg>`
  );
}

/** Describes the contents of the picture, and lists the words that were not understood. */
export function describeScene({ items, time, weather, unknown }: Scene): string {
  const targets = items.flatMap(({ relation }) => (relation ? [relation.to] : []));
  // "A boat on the sea" already mentions the sea.
  const named = items.filter(({ count, color, scale, relation }, index) => {
    const isPlain = count === 1 && scale === 1 && color === null && relation === null;
    return !(isPlain && targets.includes(index));
  });
  const things = named.map(({ name, count, colorName, scale, x, relation }) => {
    const size = scale > 1.5 ? 'huge' : scale > 1 ? 'large' : scale < 0.5 ? 'tiny' : scale < 1 ? 'small' : '';
    const noun = count === 1 ? name : shapeNamed(name).plural;
    const described = [size, colorName, noun].filter(Boolean).join(' ');
    const article = /^[aeiou]/.test(described) ? 'an' : 'a';
    const where = x === null ? '' : x < 0.4 ? ' on the left' : x > 0.6 ? ' on the right' : ' in the middle';
    const other = relation ? ` ${relation.kind} the ${nameOf(items[relation.to])}` : '';
    return `${count === 1 ? article : count} ${described}${where || other}`;
  });
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  const at = { day: '', sunset: ' at sunset', night: ' at night' }[time];
  const kinds = { rain: 'rain', snow: 'snow', storm: 'a storm', fog: 'fog', clouds: 'cloudy weather' };
  const inWeather = weather.length > 0 ? ` in ${list.format(weather.map((kind) => kinds[kind]))}` : '';
  const drawn = `I drew ${things.length > 0 ? list.format(things) : 'a landscape'}${at}${inWeather}.`;
  if (unknown.length === 0) return drawn;
  return `${drawn}\n\nNot drawn, because I do not know ${unknown.length === 1 ? 'the word' : 'the words'}: ${unknown.join(', ')}.`;
}

function nameOf(item: Item | undefined): string {
  if (!item) return '';
  return item.count === 1 ? item.name : shapeNamed(item.name).plural;
}

/** Returns the sun, moon, stars and clouds that the time and weather imply. */
function impliedItems({ items, time, weather }: Scene): Item[] {
  const isNamed = (name: string) => items.some((item) => item.name === name);
  const item = (name: string, count: number, x: number | null = null): Item => ({
    name,
    count,
    color: null,
    colorName: '',
    scale: 1,
    x,
    relation: null,
  });
  const gray = weather.some((kind) => kind !== 'fog');
  const clouds = gray && !isNamed('cloud') ? [{ ...item('cloud', 4), color: '#dfe4ea', colorName: '' }] : [];
  if (time === 'night') {
    const stars = gray || isNamed('star') ? [] : [item('star', 9)];
    return [...stars, ...(isNamed('moon') ? [] : [item('moon', 1, 0.85)]), ...clouds];
  }
  const hasSun = isNamed('sun') || gray || weather.includes('fog');
  return [...(hasSun ? [] : [item('sun', 1, time === 'sunset' ? 0.5 : 0.88)]), ...clouds];
}

/**
 * Computes a box for each item; items without a position share the width. An item in a relation is placed relative to
 * the other item.
 */
function place(all: Item[], named: Item[]): { item: Item; box: Box }[] {
  const boxes = new Map<Item, Box[]>();
  for (const layer of ['far', 'water', 'ground', 'sky'] as const) {
    const here = all.filter((item) => shapeNamed(item.name).layer === layer && item.relation === null);
    const middles = freeMiddles(here);
    for (const item of here)
      boxes.set(
        item,
        boxesOf(item, () => (item.x === null ? middles.shift() : undefined)),
      );
  }
  for (const item of all) {
    const other = item.relation && named[item.relation.to];
    if (item.relation) boxes.set(item, boxesOf(item));
    relate(item, boxes.get(item), other && boxes.get(other));
  }
  const depth = ({ relation }: Item) => (relation?.kind === 'behind' ? -1 : relation ? 1 : 0);
  return all
    .toSorted((a, b) => depth(a) - depth(b))
    .flatMap((item) => (boxes.get(item) ?? []).map((box) => ({ item, box })));
}

/**
 * Returns the positions of items without a position: as many as there are items, except those nearest to placed ones.
 */
function freeMiddles(items: Item[]): number[] {
  const count = items.reduce((sum, item) => sum + (item.x === null ? item.count : 1), 0);
  const middles = Array.from({ length: count }, (_, index) => ((index + 0.5) / count) * WIDTH);
  for (const { x } of items) {
    if (x === null) continue;
    const distances = middles.map((middle) => Math.abs(middle - x * WIDTH));
    middles.splice(distances.indexOf(Math.min(...distances)), 1);
  }
  return middles;
}

function boxesOf(item: Item, nextMiddle: () => number | undefined = () => undefined): Box[] {
  const size = shapeNamed(item.name).width * item.scale * Math.min(1, 1.6 / Math.sqrt(item.count));
  return Array.from({ length: item.count }, (_, index) => {
    const spread = (index - (item.count - 1) / 2) * size * 0.8;
    const middle = nextMiddle() ?? (item.x ?? 0.5) * WIDTH + spread;
    return { x: clamp(middle - size / 2, 0, WIDTH - size), y: top(item, size, index), size };
  });
}

function top({ name }: Item, size: number, index: number): number {
  const { layer } = shapeNamed(name);
  if (name === 'rainbow') return HORIZON - size * 0.97;
  if (name === 'sea') return HORIZON;
  if (layer === 'sky') return 20 + ((index * 47) % 90) + Math.max(0, (90 - size) / 4);
  if (layer === 'far') return HORIZON + 6 - size;
  if (layer === 'water') return name === 'lake' ? 415 - size / 2 : HORIZON;
  return GROUND - size + ((index * 23) % 30);
}

function relate({ relation, name }: Item, own: Box[] = [], others: Box[] | null | undefined = []): void {
  const [other] = others ?? [];
  const last = others?.at(-1);
  if (!other || !last || !relation) return;
  const { kind } = relation;
  own.forEach((box, index) => {
    const shift = (index - (own.length - 1) / 2) * box.size * 0.9;
    const isAtEdge = other.x + other.size + box.size > WIDTH;
    const across = kind === 'between' ? (other.x + last.x) / 2 : other.x;
    box.x = across + other.size / 2 - box.size / 2 + shift;
    if (kind === 'next to')
      box.x = isAtEdge ? other.x - box.size * (index + 1) : other.x + other.size + box.size * index * 0.9;
    box.x = clamp(box.x, 0, WIDTH - box.size);
    if (shapeNamed(name).layer !== 'sky' || kind === 'above') box.y = heightOf(kind, box, other);
  });
}

function heightOf(kind: Relation, box: Box, other: Box): number {
  const bottom = other.y + other.size;
  if (kind === 'above') return Math.max(4, other.y - box.size - 10);
  if (kind === 'below') return Math.min(HEIGHT - box.size, GROUND - box.size + 30);
  if (kind === 'behind') return Math.min(box.y, bottom - box.size - 16);
  if (kind === 'in front of') return Math.min(HEIGHT - box.size, bottom - box.size + 34);
  if (kind !== 'on') return box.y;
  return isWide(other) ? Math.max(HORIZON - box.size * 0.4, other.y - box.size * 0.4) : other.y - box.size * 0.8;
}

/** Returns true for water and hills: other items are placed in front of them, not on top. */
function isWide({ size }: Box): boolean {
  return size >= 300;
}

function drawWeather(kind: Scene['weather'][number]): string {
  const drops = Array.from({ length: 70 }, (_, index) => ({
    x: (index * 137) % WIDTH,
    y: (index * index * 37 + index * 89) % HEIGHT,
  }));
  if (kind === 'snow')
    return drops
      .map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="${3 + (x % 3)}" fill="#ffffff" opacity="0.9"/>`)
      .join('');
  if (kind === 'fog')
    return [300, 350, 400]
      .map((y) => `<rect y="${y}" width="${WIDTH}" height="70" fill="#ffffff" opacity="0.35"/>`)
      .join('');
  if (kind === 'clouds') return '';
  const rain = `<path d="${drops.map(({ x, y }) => `M${x} ${y}l-6 18`).join('')}" stroke="#bcd7ee" stroke-width="2" opacity="0.8"/>`;
  return kind === 'rain' ? rain : `${rain}<path d="M590 60 540 190H580L545 300 640 160H598L640 60Z" fill="#ffe36e"/>`;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
