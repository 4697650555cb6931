import { RATES } from './rates';

export type Dimension =
  | 'length'
  | 'mass'
  | 'temperature'
  | 'volume'
  | 'area'
  | 'speed'
  | 'duration'
  | 'data'
  | 'energy'
  | 'money';

/** A unit: `value × factor + offset` is the value in the base unit of its dimension. */
export interface Unit {
  dimension: Dimension;
  symbol: string;
  factor: number;
  offset: number;
}

/** Names by symbol, including the symbol; then the factor, and the offset of temperatures. */
type Row = [names: string, factor: number, offset?: number];

const rows: Record<Exclude<Dimension, 'money'>, Row[]> = {
  length: [
    ['m|meter|meters|metre|metres', 1],
    ['km|kms|kilometer|kilometers|kilometre|kilometres', 1_000],
    ['cm|centimeter|centimeters|centimetre|centimetres', 0.01],
    ['mm|millimeter|millimeters|millimetre|millimetres', 0.001],
    ['mi|mile|miles', 1_609.344],
    ['nmi|nautical mile|nautical miles', 1_852],
    ['yd|yard|yards', 0.9144],
    ["ft|foot|feet|'", 0.3048],
    ['in|inch|inches|"', 0.0254],
    ['ly|light-year|light-years|light year|light years', 9.4607304725808e15],
  ],
  mass: [
    ['kg|kilo|kilos|kilogram|kilograms', 1],
    ['g|gram|grams', 0.001],
    ['mg|milligram|milligrams', 1e-6],
    ['t|tonne|tonnes|metric ton|metric tons|ton|tons', 1_000],
    ['lb|lbs|pound|pounds', 0.45359237],
    ['oz|ounce|ounces', 0.028349523125],
    ['st|stone|stones', 6.35029318],
  ],
  temperature: [
    ['°C|c|celsius|centigrade|degrees c|degrees celsius|degree celsius', 1, 273.15],
    ['°F|f|fahrenheit|degrees f|degrees fahrenheit|degree fahrenheit', 5 / 9, 459.67 * (5 / 9)],
    ['K|kelvin|kelvins', 1],
  ],
  volume: [
    ['l|liter|liters|litre|litres', 1],
    ['ml|milliliter|milliliters|millilitre|millilitres', 0.001],
    ['m³|m3|cubic meter|cubic meters|cubic metre|cubic metres', 1_000],
    ['gal|gallon|gallons|us gallon|us gallons', 3.785411784],
    ['imp gal|imperial gallon|imperial gallons|uk gallon|uk gallons', 4.54609],
    ['qt|quart|quarts', 0.946352946],
    ['pt|pint|pints', 0.473176473],
    ['cup|cups', 0.2365882365],
    ['fl oz|fluid ounce|fluid ounces', 0.0295735295625],
    ['tbsp|tablespoon|tablespoons', 0.01478676478125],
    ['tsp|teaspoon|teaspoons', 0.00492892159375],
  ],
  area: [
    ['m²|m2|sqm|square meter|square meters|square metre|square metres', 1],
    ['km²|km2|square kilometer|square kilometers|square kilometre|square kilometres', 1e6],
    ['ha|hectare|hectares', 1e4],
    ['ac|acre|acres', 4_046.8564224],
    ['ft²|ft2|sqft|sq ft|square foot|square feet', 0.09290304],
    ['sq mi|mi²|square mile|square miles', 2_589_988.110336],
  ],
  speed: [
    ['m/s|meters per second|metres per second', 1],
    ['km/h|kmh|kph|kilometers per hour|kilometres per hour', 1 / 3.6],
    ['mph|miles per hour', 0.44704],
    ['kn|knot|knots', 1_852 / 3_600],
  ],
  duration: [
    ['s|sec|second|seconds', 1],
    ['min|minute|minutes', 60],
    ['h|hr|hrs|hour|hours', 3_600],
    ['d|day|days', 86_400],
    ['wk|week|weeks', 604_800],
  ],
  data: [
    ['B|byte|bytes', 1],
    ['kB|kilobyte|kilobytes', 1e3],
    ['MB|megabyte|megabytes', 1e6],
    ['GB|gigabyte|gigabytes', 1e9],
    ['TB|terabyte|terabytes', 1e12],
    ['KiB|kibibyte|kibibytes', 1_024],
    ['MiB|mebibyte|mebibytes', 1_024 ** 2],
    ['GiB|gibibyte|gibibytes', 1_024 ** 3],
  ],
  energy: [
    ['J|joule|joules', 1],
    ['kJ|kilojoule|kilojoules', 1e3],
    ['kcal|kilocalorie|kilocalories|calorie|calories', 4_184],
    ['kWh|kilowatt hour|kilowatt hours|kilowatt-hour|kilowatt-hours', 3.6e6],
  ],
};

const known = new Map<string, Unit[]>();
for (const [dimension, list] of Object.entries(rows)) {
  for (const [names, factor, offset = 0] of list) add(names, { dimension: dimension as Dimension, factor, offset });
}
for (const { code, names, perEuro } of RATES)
  add(`${code}|${names}`, { dimension: 'money', factor: 1 / perEuro, offset: 0 });

function add(names: string, unit: Omit<Unit, 'symbol'>): void {
  const all = names.split('|');
  const [symbol = ''] = all;
  for (const name of new Set(all.map((one) => one.toLowerCase()))) {
    known.set(name, [...(known.get(name) ?? []), { ...unit, symbol }]);
  }
}

/** Returns the units of a name; several for "pounds" and "ounces", none for an unknown word. */
export function unitsOf(name: string): Unit[] {
  const word = name.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '');
  return known.get(word) ?? known.get(word.replace(/^(?:us|uk) /, '')) ?? [];
}

/** Every name, longest first. */
export const unitNames: string[] = [...known.keys()].sort((a, b) => b.length - a.length);

/** Returns a few symbols of a dimension, to suggest. */
export function examplesOf(dimension: Dimension): string[] {
  if (dimension === 'money') return RATES.slice(0, 5).map(({ code }) => code);
  return rows[dimension].slice(0, 5).map(([names]) => names.split('|')[0] ?? '');
}

export function convert(value: number, from: Unit, to: Unit): number {
  const result = (value * from.factor + from.offset - to.offset) / to.factor;
  // Binary fractions: 0 °C is 32 °F, not 31.999999999999943.
  return Number(result.toPrecision(12));
}
