import type { JsonObject, JsonValue } from '../../json';
import { MAX_A2UI_EXPRESSION_DEPTH, MAX_A2UI_EXPRESSIONS, MAX_A2UI_TEXT_LENGTH } from '../../limits';

/** How the expressions in a text get their values. */
interface Values {
  read: (path: string) => JsonValue | undefined;
  call: (name: string, args: JsonObject) => JsonValue | undefined;
  text: (value: JsonValue | undefined) => string;
}

/**
 * Returns the text with each `${expression}` replaced by its value: a path, a literal, or a call such as
 * `formatDate(value: ${/day}, format: 'd MMM')`. `\${` is `${`. An expression that is invalid is empty.
 */
export function formatText(text: string, values: Values): string {
  let result = '';
  let at = 0;
  for (let count = 0; count < MAX_A2UI_EXPRESSIONS; count++) {
    const start = text.indexOf('${', at);
    if (start < 0) break;
    if (text[start - 1] === '\\' && start > at) {
      result += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    const end = endOf(text, start + 2);
    if (end === null) break;
    const value = new Expression(text.slice(start + 2, end), values).value();
    result += text.slice(at, start) + values.text(value);
    at = end + 1;
    if (result.length > MAX_A2UI_TEXT_LENGTH) return result.slice(0, MAX_A2UI_TEXT_LENGTH).toWellFormed();
  }
  return (result + text.slice(at)).slice(0, MAX_A2UI_TEXT_LENGTH).toWellFormed();
}

/** Returns the index of the brace that closes an expression, ignoring those in quoted texts; null if there is none. */
function endOf(text: string, from: number): number | null {
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return null;
}

/** A reader of one expression. */
class Expression {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly values: Values,
    private depth = 0,
  ) {}

  /** Returns its value; undefined if it is invalid or nested too deeply. */
  value(): JsonValue | undefined {
    if (this.depth > MAX_A2UI_EXPRESSION_DEPTH) return undefined;
    const found = this.term();
    this.match(/\s*/y);
    return this.at === this.text.length ? found : undefined;
  }

  private term(): JsonValue | undefined {
    this.match(/\s*/y);
    if (this.text.startsWith('${', this.at)) return this.nested();
    const quoted = this.match(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y);
    if (quoted) return (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1');
    const number = this.match(/-?\d{1,15}(?:\.\d{1,15})?(?![\w./])/y);
    if (number) return Number(number[0]);
    const literal = this.match(/(true|false|null)(?![\w/])/y);
    if (literal) return JSON.parse(literal[0]) as JsonValue;
    const call = this.match(/(@?[A-Za-z]\w{0,60})\s*\(/y);
    if (call) return this.call(call[1] ?? '');
    const path = this.match(/[^\s,(){}'"]{1,500}/y);
    return path ? this.values.read(path[0]) : undefined;
  }

  private nested(): JsonValue | undefined {
    const end = endOf(this.text, this.at + 2);
    if (end === null) return undefined;
    const inner = new Expression(this.text.slice(this.at + 2, end), this.values, this.depth + 1);
    this.at = end + 1;
    return inner.value();
  }

  /** A call that is nested too deeply is not read to its end, so the whole expression is invalid. */
  private call(name: string): JsonValue | undefined {
    if (this.depth >= MAX_A2UI_EXPRESSION_DEPTH) return undefined;
    this.depth += 1;
    const args = this.args();
    this.depth -= 1;
    return args === null ? undefined : this.values.call(name, args);
  }

  /** Returns the arguments up to the closing parenthesis; null if they are invalid. */
  private args(): JsonObject | null {
    const args: [string, JsonValue | undefined][] = [];
    while (!this.match(/\s*\)/y)) {
      const key = this.match(/\s*([A-Za-z]\w{0,60})\s*:/y)?.[1] ?? (args.length === 0 ? 'value' : null);
      if (key === null || args.length > 8) return null;
      args.push([key, this.term()]);
      if (!this.match(/\s*,/y) && !this.match(/(?=\s*\))/y)) return null;
    }
    return Object.fromEntries(args);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}
