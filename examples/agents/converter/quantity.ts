import { formatNumber, readNumber } from './numbers';
import { RATES_DATE } from './rates';
import { convert, examplesOf, type Unit, unitNames, unitsOf } from './units';

/** The known parts of a conversion. A name may stand for several units until the other unit is known. */
export interface QuantityRequest {
  amount: number | null;
  from: Unit[];
  to: Unit[];
}

/** A result, or a question for the missing part. */
export type Answer = { text: string } | { question: string };

const escaped = unitNames.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
/** Matches a unit's name that ends at the end of a word. */
const unitPattern = new RegExp(`^(?:${escaped.join('|')})(?![\\p{L}\\d])`, 'iu');
const symbolFirst = /^([€$£¥₹])\s*/;
const between = /^\s*(?:=|->|→|to|into|in|as|are)\s+/i;

/** Reads "12 miles to km", "$50 in euros", "how many feet are in 3 meters". Null if there is no unit. */
export function readQuantity(text: string): QuantityRequest | null {
  const asked = /\bhow (?:many|much) (.+?) (?:are|is|does|do|make|makes|=|in)\b\s*(?:there\s+)?(?:in\s+)?(.*)$/i.exec(
    text,
  );
  if (asked) {
    const to = unitsOf(asked[1] ?? '');
    const source = readSource(asked[2] ?? '');
    if (to.length > 0 && source) return { ...source, to };
  }
  for (let at = 0; at < text.length; at = nextWord(text, at)) {
    const source = readSource(text.slice(at));
    if (source && (source.amount !== null || source.from.length > 0)) return source;
  }
  return null;
}

/** Reads the answer to "Into which unit?": "km", "to km", "in km please". */
export function readUnit(text: string): Unit[] {
  const bare = text.trim().replace(/^(?:to|into|in|as)\s+/i, '');
  return unitsOf(unitPattern.exec(bare)?.[0] ?? '');
}

function nextWord(text: string, at: number): number {
  const gap = /[\s(:]+/g;
  gap.lastIndex = at;
  return gap.exec(text) ? gap.lastIndex : text.length;
}

/** Reads "12 miles to km" at the start of a text; without a number, only a unit followed by another one. */
function readSource(text: string): QuantityRequest | null {
  const symbol = symbolFirst.exec(text);
  const number = readNumber(text.slice(symbol?.[0].length ?? 0));
  let at = (symbol?.[0].length ?? 0) + (number?.length ?? 0);
  at += /^[\s-]*/.exec(text.slice(at))?.[0].length ?? 0;
  const name = symbol ? (symbol[1] ?? '') : (unitPattern.exec(text.slice(at))?.[0] ?? '');
  const from = unitsOf(name);
  if (!symbol) at += name.length;
  const joined = between.exec(text.slice(at));
  const rest = joined ? text.slice(at + joined[0].length) : '';
  const to = unitsOf(unitPattern.exec(rest.replace(/^(?:the )?/i, ''))?.[0] ?? '');
  if (number === null && (from.length === 0 || to.length === 0)) return null;
  if (from.length === 0 && to.length === 0) return null;
  return { amount: number?.value ?? null, from, to };
}

/** Converts, or asks for the missing part. */
export function answerQuantity({ amount, from, to }: QuantityRequest): Answer {
  if (from.length === 0)
    return { question: `${amount === null ? 'What' : formatNumber(amount)} of what? Name a unit, such as km or USD.` };
  if (to.length === 0) return { question: askForTarget(from) };
  const pair = from
    .flatMap((source) => to.map((target) => ({ source, target })))
    .find(({ source, target }) => source.dimension === target.dimension);
  if (!pair) {
    const [source] = from;
    const [target] = to;
    const units = source ? examplesOf(source.dimension).join(', ') : '';
    return {
      question: `${source?.symbol} is ${withArticle(source)}, ${target?.symbol} is ${withArticle(target)}. Into which unit: ${units}?`,
    };
  }
  const { source, target } = pair;
  if (amount === null) return { question: `How many ${source.symbol}?` };
  const result = formatNumber(convert(amount, source, target));
  const text = `**${formatNumber(amount)} ${source.symbol} = ${result} ${target.symbol}**`;
  const note =
    source.dimension === 'money' ? `\n\nAt the fixed, rounded rates of ${RATES_DATE}; not for payments.` : '';
  return { text: `${text}${note}` };
}

function askForTarget(from: Unit[]): string {
  const dimensions = [...new Set(from.map(({ dimension }) => dimension))];
  const choices = dimensions.map((dimension) => {
    const others = examplesOf(dimension).filter((symbol) => symbol !== from[0]?.symbol);
    return dimensions.length > 1 ? `${others.join(', ')} (${dimension})` : others.join(', ');
  });
  return `Into which unit: ${choices.join('; ')}?`;
}

function withArticle(unit: Unit | undefined): string {
  const names: Partial<Record<string, string>> = {
    money: 'a currency',
    mass: 'a weight',
    area: 'an area',
    energy: 'an energy',
    data: 'an amount of data',
  };
  const dimension = unit?.dimension ?? '';
  return names[dimension] ?? `a ${dimension}`;
}
