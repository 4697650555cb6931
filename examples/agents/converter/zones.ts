/** A local date and time in a place, without a time zone. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** Places that are not cities of the time zone database, or have another name there. */
const more: Record<string, string> = {
  'utc|gmt|zulu': 'UTC',
  'est|edt|eastern time|boston|washington|miami|atlanta|philadelphia': 'America/New_York',
  'cst|cdt|central time|houston|dallas|austin': 'America/Chicago',
  'pst|pdt|pacific time|san francisco|seattle|las vegas|san diego|california': 'America/Los_Angeles',
  'bst|uk|united kingdom|england|edinburgh|manchester': 'Europe/London',
  'cet|cest|germany|munich|hamburg|cologne|frankfurt': 'Europe/Berlin',
  'italy|milan|florence|venice|naples|turin': 'Europe/Rome',
  'france|lyon|marseille': 'Europe/Paris',
  'spain|barcelona|seville|valencia': 'Europe/Madrid',
  'switzerland|geneva|basel|bern': 'Europe/Zurich',
  kyiv: 'Europe/Kiev',
  'ist|india|kolkata|mumbai|delhi|new delhi|bangalore|chennai': 'Asia/Kolkata',
  'jst|japan|osaka|kyoto': 'Asia/Tokyo',
  'china|beijing|shenzhen': 'Asia/Shanghai',
  'abu dhabi': 'Asia/Dubai',
  'ho chi minh city|hanoi': 'Asia/Bangkok',
  'rio|rio de janeiro|brasilia': 'America/Sao_Paulo',
  canberra: 'Australia/Sydney',
};

/** Cities whose names are everyday words. */
const notPlaces = new Set(['center', 'christmas', 'easter', 'midway', 'resolute', 'truk', 'wake']);

const zones = new Map<string, string>();
for (const zone of Intl.supportedValuesOf('timeZone')) {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ').toLowerCase() ?? '';
  if (zone.includes('/') && city.length > 3 && !notPlaces.has(city)) zones.set(city, zone);
}
for (const [names, zone] of Object.entries(more)) for (const name of names.split('|')) zones.set(name, zone);

const names = [...zones.keys()].sort((a, b) => b.length - a.length);
const placePattern = new RegExp(
  `(?<![\\p{L}\\d])(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\p{L}\\d])`,
  'giu',
);

/** A place in a text, with its time zone. */
export interface Place {
  name: string;
  zone: string;
  index: number;
}

/** Finds the places in a text, in order. */
export function findPlaces(text: string): Place[] {
  return [...text.matchAll(placePattern)].map(({ 0: found, index }) => ({
    name: toTitle(found),
    zone: zones.get(found.toLowerCase()) ?? 'UTC',
    index,
  }));
}

function toTitle(name: string): string {
  if (name.length <= 4 && /^(?:utc|gmt|e[sd]?t|c[sd]?t|p[sd]?t|bst|cest|cet|ist|jst|uk)$/i.test(name))
    return name.toUpperCase();
  return name.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Returns the local time in a time zone. */
export function wallTimeAt(zone: string, instant: number): WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

const DAY_MS = 86_400_000;

/** Returns the instants with this local time in a time zone: none or two at clock changes, otherwise one. */
export function instantsOf(zone: string, wall: WallTime): number[] {
  const asUtc = toUtc(wall);
  const offsets = [-DAY_MS, DAY_MS].map((shift) => toUtc(wallTimeAt(zone, asUtc + shift)) - (asUtc + shift));
  const instants = [...new Set(offsets.map((offset) => asUtc - offset))];
  return instants.filter((instant) => toUtc(wallTimeAt(zone, instant)) === asUtc).sort((a, b) => a - b);
}

function toUtc({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}
