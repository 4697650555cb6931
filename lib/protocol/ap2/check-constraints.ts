import { canonicalText } from '@parley/agent/ap2';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { minorUnitDigits } from './currencies';
import { maxFlow } from './max-flow';
import { readAmount } from './money';

/** What is known of earlier payments under the same open mandate; minor units. */
export interface SpentTotals {
  totalAmount: number | null;
  totalUses: number | null;
}

export interface PaymentUnderOpenMandate {
  open: JsonObject;
  closed: JsonObject;
  spent: SpentTotals;
  /** Hash of the open checkout mandate that came with it. */
  openCheckoutHash: string | null;
}

const frequencies = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'];
/** Members of an open mandate that are its own; all others are preset for the closed one. */
const openOnlyMembers = ['vct', 'constraints', 'cnf', 'iat', 'exp'];

type Check = (constraint: JsonObject, payment: PaymentUnderOpenMandate) => boolean;

const paymentChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['payment.amount_range', isAmountInRange],
  ['payment.allowed_payees', ({ allowed }, { closed }) => isOneOf(allowed, closed.payee, isSameParty)],
  [
    'payment.allowed_payment_instruments',
    ({ allowed }, { closed }) => isOneOf(allowed, closed.payment_instrument, isSameParty),
  ],
  ['payment.allowed_pisps', ({ allowed }, { closed }) => isOneOf(allowed, closed.pisp, isSameProvider)],
  ['payment.agent_recurrence', isWithinRecurrence],
  ['payment.budget', isWithinBudget],
  [
    'payment.reference',
    ({ conditional_transaction_id: id }, { openCheckoutHash }) => isText(id) && id === openCheckoutHash,
  ],
  ['payment.execution_date', isWithinExecutionWindow],
]);

/**
 * The constraints of an open payment mandate (AP2 0.2, ap2.md §1.4) that a closed one violates, by type; `preset` for a
 * member that the open one had fixed. What is unknown or cannot be read is violated.
 */
export function paymentViolations(payment: PaymentUnderOpenMandate): string[] {
  const { open, closed } = payment;
  const preset = Object.entries(open).some(
    ([name, value]) =>
      !openOnlyMembers.includes(name) && canonicalText(value ?? null) !== canonicalText(closed[name] ?? null),
  );
  const violated = constraintsOf(open).filter(
    ({ type, constraint }) => !paymentChecks.get(type)?.(constraint, payment),
  );
  return [...(preset ? ['preset'] : []), ...violated.map(({ type }) => type)];
}

/** The same for an open checkout mandate and a checkout. */
export function checkoutViolations({ open, checkout }: { open: JsonObject; checkout: JsonObject }): string[] {
  const violated = constraintsOf(open).filter(({ type, constraint }) => {
    if (type === 'checkout.allowed_merchants') return !isOneOf(constraint.allowed, checkout.merchant, isSameParty);
    return type !== 'checkout.line_items' || !lineItemsMatch(constraint, checkout);
  });
  return violated.map(({ type }) => type);
}

function constraintsOf({ constraints }: JsonObject): { type: string; constraint: JsonObject }[] {
  if (!Array.isArray(constraints)) return [{ type: 'constraints', constraint: {} }];
  return constraints.map((found) => {
    const constraint = isObject(found) ? found : {};
    return { type: nonEmptyString(constraint.type) ?? 'unknown', constraint };
  });
}

function isAmountInRange({ currency, max, min = 0 }: JsonObject, { closed }: PaymentUnderOpenMandate): boolean {
  const paid = amountOf(closed);
  if (!paid || paid.currency !== currency || typeof max !== 'number' || typeof min !== 'number') return false;
  return paid.amount <= max && paid.amount >= min;
}

/** The budget is written in major units, as AP2's SDK reads it, and counts over all payments. */
function isWithinBudget({ currency, max }: JsonObject, { closed, spent }: PaymentUnderOpenMandate): boolean {
  const paid = amountOf(closed);
  if (!paid || paid.currency !== currency || typeof max !== 'number' || spent.totalAmount === null) return false;
  if (minorUnitDigits(paid.currency) === null) return false;
  const limit = readAmount({ currency: paid.currency, value: max });
  return limit.ok && spent.totalAmount + paid.amount <= limit.minor;
}

/** AP2's SDK wants a range and a budget beside it; without them an agent could pay for ever. */
function isWithinRecurrence(
  { frequency, max_occurrences: maxOccurrences }: JsonObject,
  { open, spent }: PaymentUnderOpenMandate,
): boolean {
  const types = constraintsOf(open).map(({ type }) => type);
  const isBounded = ['payment.amount_range', 'payment.budget'].every((type) => types.includes(type));
  if (!isBounded || !isText(frequency) || !frequencies.includes(frequency) || spent.totalUses === null) return false;
  return (
    maxOccurrences === undefined ||
    maxOccurrences === null ||
    (typeof maxOccurrences === 'number' && spent.totalUses < maxOccurrences)
  );
}

/** Compared as instants: the same moment may be written in two time zones. A payment without a date is made now. */
function isWithinExecutionWindow(
  { not_before: from, not_after: to }: JsonObject,
  { closed }: PaymentUnderOpenMandate,
): boolean {
  if (closed.execution_date === undefined) return true;
  const at = instantOf(closed.execution_date);
  return (from === undefined || at >= instantOf(from)) && (to === undefined || at <= instantOf(to));
}

function instantOf(value: JsonValue | undefined): number {
  return isText(value) ? Date.parse(value) : Number.NaN;
}

/** Every line is asked for and everything that is asked for is there: the text of 0.2 wants both, its SDK only one. */
function lineItemsMatch({ items }: JsonObject, { line_items: lines }: JsonObject): boolean {
  const required = objectsOf(items);
  const found = objectsOf(lines);
  const needs = required.map(quantityOf);
  const stock = found.map(quantityOf);
  const total = sum(needs);
  if (total === 0 || !Number.isSafeInteger(total) || total !== sum(stock)) return false;
  const accepted = required.map(({ acceptable_items: all }) => objectsOf(all).map(({ id }) => id));
  const offered = found.map(({ item }) => (isObject(item) ? item.id : undefined));
  const serves = (need: number, at: number): boolean =>
    offered[at] !== undefined && accepted[need]?.includes(offered[at]) === true;
  return maxFlow({ demands: needs, supplies: stock, canServe: serves }) === total;
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map((element) => (isObject(element) ? element : {})) : [];
}

function quantityOf({ quantity }: JsonObject): number {
  return Number.isSafeInteger(quantity) && Number(quantity) > 0 ? Number(quantity) : Number.NaN;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function amountOf({ payment_amount: paid }: JsonObject): { amount: number; currency: string } | null {
  if (!isObject(paid) || !Number.isSafeInteger(paid.amount) || !isText(paid.currency)) return null;
  return { amount: Number(paid.amount), currency: paid.currency };
}

function isOneOf(
  allowed: JsonValue | undefined,
  found: JsonValue | undefined,
  isSame: (one: JsonObject, other: JsonObject) => boolean,
): boolean {
  return isObject(found) && objectsOf(allowed).some((candidate) => isSame(candidate, found));
}

/** By id alone: anybody can choose a display name. An absent or empty id matches nobody. */
function isSameParty(one: JsonObject, other: JsonObject): boolean {
  return isText(one.id) && one.id === other.id;
}

function isSameProvider(one: JsonObject, other: JsonObject): boolean {
  return ['legal_name', 'brand_name', 'domain_name'].every((name) => isText(one[name]) && one[name] === other[name]);
}

function isText(value: JsonValue | undefined): value is string {
  return nonEmptyString(value) !== undefined;
}
