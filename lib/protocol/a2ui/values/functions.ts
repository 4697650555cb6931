import { readSafePattern } from '../../forms/safe-pattern';
import type { JsonObject, JsonValue } from '../../json';
import { MAX_PATTERN_LENGTH } from '../../limits';
import { formatDate } from './format-date';
import { numberFormatter } from './formatters';
import { isEmpty, isTrue, toText } from './text-values';

/** The language and time zone of the person. */
interface Place {
  locale: string;
  timeZone: string;
}

type CatalogFunction = (args: JsonObject, place: Place) => JsonValue | undefined;

/** The functions of the basic catalog that have a value. `openUrl` is an action. */
const functions: Readonly<Record<string, CatalogFunction>> = {
  required: ({ value }) => !isEmpty(value),
  regex: ({ value, pattern }) => matches(toText(value), toText(pattern)),
  length: ({ value, min, max }) => isWithin([...toText(value)].length, min, max),
  numeric: ({ value, min, max }) => isEmpty(value) || isWithin(Number(toText(value)), min, max),
  email: ({ value }) => isEmpty(value) || /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(toText(value).slice(0, 400)),
  and: ({ values }) => Array.isArray(values) && values.every(isTrue),
  or: ({ values }) => Array.isArray(values) && values.some(isTrue),
  not: ({ value }) => !isTrue(value ?? null),
  formatNumber: (args, place) => formatNumber(args, place, {}),
  formatCurrency: (args, place) =>
    /^[A-Za-z]{3}$/.test(toText(args.currency))
      ? formatNumber(args, place, { style: 'currency', currency: toText(args.currency).toUpperCase() })
      : toText(args.value),
  formatDate: ({ value, format }, place) => formatDate(toText(value), toText(format), place),
  pluralize: (args, { locale }) => {
    const rule = new Intl.PluralRules(locale).select(Number(args.value) || 0);
    const exact = Number(args.value) === 0 ? args.zero : undefined;
    return exact ?? args[rule] ?? args.other;
  },
};

/** Returns the result of a function of the catalog; undefined for one that is unknown. Runs nothing of an agent. */
export function callFunction(name: string, args: JsonObject, place: Place): JsonValue | undefined {
  return Object.hasOwn(functions, name) ? functions[name]?.(args, place) : undefined;
}

function isWithin(value: number, min: JsonValue | undefined, max: JsonValue | undefined): boolean {
  return (
    Number.isFinite(value) && !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max)
  );
}

/** A pattern that is not safe to run is checked by the agent. */
function matches(text: string, pattern: string): boolean {
  const anchored = pattern.startsWith('^') ? pattern : `^.*${pattern}`;
  const safe = readSafePattern(anchored);
  return safe === null || text === '' || text.length > MAX_PATTERN_LENGTH || safe.test(text);
}

function formatNumber(
  { value, decimals, grouping }: JsonObject,
  { locale }: Place,
  options: Intl.NumberFormatOptions,
): string {
  const number = Number(toText(value));
  if (isEmpty(value) || !Number.isFinite(number)) return toText(value);
  const digits =
    typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= 20
      ? { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
      : {};
  return numberFormatter(locale, { ...options, ...digits, useGrouping: grouping !== false }).format(number);
}
