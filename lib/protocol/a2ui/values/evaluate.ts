import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_DEPTH, MAX_A2UI_ITEMS } from '../../limits';
import { type Path, readPath, valueAt } from '../messages/pointer';
import type { Budget } from './budget';
import { formatText } from './format-text';
import { callFunction } from './functions';

/** What a value of a component is read with. */
export interface Scope {
  data: JsonValue;
  /** Where relative paths start: an element of a list within a template. */
  base: Path;
  /** Index of that element; null outside of templates. */
  index: number | null;
  locale: string;
  timeZone: string;
  /** What may still be evaluated of the view. */
  budget: Budget;
}

/** Returns the location to which a value is bound; null for any other value. */
export function bindingOf(value: JsonValue | undefined, { base }: Pick<Scope, 'base'>): Path | null {
  return isObject(value) && typeof value.path === 'string' && value.call === undefined
    ? readPath(value.path, base)
    : null;
}

/**
 * Returns the value: a literal, what a path contains, or the result of a function. Undefined if there is none, and if the
 * budget is spent.
 */
export function evaluate(value: JsonValue | undefined, scope: Scope, depth = 0): JsonValue | undefined {
  if (depth > MAX_A2UI_DEPTH || !scope.budget.value()) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_A2UI_ITEMS).map((item) => evaluate(item, scope, depth + 1) ?? null);
  }
  if (!isObject(value)) return value;
  if (typeof value.call === 'string') return evaluateCall(value, scope, depth);
  if (typeof value.path === 'string') {
    const path = readPath(value.path, scope.base);
    return path === null ? undefined : valueAt(scope.data, path);
  }
  const members = Object.entries(value).map(([name, member]) => [name, evaluate(member, scope, depth + 1)] as const);
  return Object.fromEntries(members);
}

/** The arguments of a call are its `args`; some agents write them next to its name. */
function evaluateCall(value: JsonObject, scope: Scope, depth: number): JsonValue | undefined {
  const { call, args, catalogId: _, returnType: __, ...others } = value;
  const given = isObject(args) ? args : others;
  const values = Object.entries(given).map(([name, arg]) => [name, evaluate(arg, scope, depth + 1)] as const);
  return invoke(String(call), Object.fromEntries(values), scope);
}

function invoke(name: string, args: JsonObject, scope: Scope): JsonValue | undefined {
  if (!scope.budget.call(Object.values(args), args.format)) return undefined;
  if (name === '@index') return scope.index === null ? undefined : scope.index + (Number(args.offset) || 0);
  if (name === 'formatString') {
    return formatText(scope.budget.text(args.value), {
      read: (path) => evaluate({ path }, scope),
      text: (inner) => scope.budget.text(inner),
      call: (inner, innerArgs) => (inner === 'formatString' ? undefined : invoke(inner, innerArgs, scope)),
    });
  }
  return callFunction(name, args, scope);
}

/** Returns the text of a value of a component. */
export function textOf(value: JsonValue | undefined, scope: Scope): string {
  return scope.budget.text(evaluate(value, scope));
}
