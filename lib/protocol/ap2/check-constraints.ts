import { canonicalText } from '@parley/agent/ap2';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { FREQUENCIES } from './frequencies';
import { minorUnitDigits, readAmount } from './money';

/** Earlier payments under the same open mandate, in minor units. Null if unknown. */
interface SpentTotals {
  totalAmount: number | null;
  totalUses: number | null;
}

interface PaymentUnderOpenMandate {
  open: JsonObject;
  closed: JsonObject;
  spent: SpentTotals;
  /** Hash of the accompanying open checkout mandate. */
  openCheckoutHash: string | null;
}

/** Members that belong only to the open mandate. All others are fixed for the closed mandate. */
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
 * Returns the types of constraints in the open payment mandate (AP2 0.2) that the closed one violates, and `preset` for
 * a fixed member that differs. Unknown and unreadable constraints count as violated.
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

/** Returns the types of constraints in the open checkout mandate that a checkout violates. */
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

/** Checks the budget, which limits the sum of all payments and is in major units, as in AP2's SDK. */
function isWithinBudget({ currency, max }: JsonObject, { closed, spent }: PaymentUnderOpenMandate): boolean {
  const paid = amountOf(closed);
  if (!paid || paid.currency !== currency || typeof max !== 'number' || spent.totalAmount === null) return false;
  if (minorUnitDigits(paid.currency) === null) return false;
  const limit = readAmount({ currency: paid.currency, value: max });
  return limit.ok && spent.totalAmount + paid.amount <= limit.minor;
}

/**
 * Returns true if the recurrence permits the payment. Also requires an amount range and a budget, as AP2's SDK does,
 * because an agent could otherwise pay indefinitely.
 */
function isWithinRecurrence(
  { frequency, max_occurrences: maxOccurrences }: JsonObject,
  { open, spent }: PaymentUnderOpenMandate,
): boolean {
  const types = constraintsOf(open).map(({ type }) => type);
  const isBounded = ['payment.amount_range', 'payment.budget'].every((type) => types.includes(type));
  if (!isBounded || !isText(frequency) || !FREQUENCIES.some((known) => known === frequency) || spent.totalUses === null)
    return false;
  return (
    maxOccurrences === undefined ||
    maxOccurrences === null ||
    (typeof maxOccurrences === 'number' && spent.totalUses < maxOccurrences)
  );
}

/** Compares points in time, because dates may have different time zones. A payment without a date is immediate. */
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

/**
 * Requires that every line is acceptable and that every required item is present. The text of 0.2 requires both, its
 * SDK only the former.
 */
function lineItemsMatch({ items }: JsonObject, { line_items: lines }: JsonObject): boolean {
  const required = objectsOf(items);
  const found = objectsOf(lines);
  const demands = required.map(quantityOf);
  const supplies = found.map(quantityOf);
  const total = sum(demands);
  if (total === 0 || !Number.isSafeInteger(total) || total !== sum(supplies)) return false;
  const accepted = required.map(({ acceptable_items: all }) => objectsOf(all).map(({ id }) => id));
  const offered = found.map(({ item }) => (isObject(item) ? item.id : undefined));
  const canServe = (demand: number, at: number): boolean =>
    offered[at] !== undefined && accepted[demand]?.includes(offered[at]) === true;
  return maxFlow({ demands, supplies, canServe }) === total;
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
  isSame: (left: JsonObject, right: JsonObject) => boolean,
): boolean {
  return isObject(found) && objectsOf(allowed).some((candidate) => isSame(candidate, found));
}

/** Compares ids only, because display names are not unique. An absent or empty id never matches. */
function isSameParty(left: JsonObject, right: JsonObject): boolean {
  return isText(left.id) && left.id === right.id;
}

function isSameProvider(left: JsonObject, right: JsonObject): boolean {
  return ['legal_name', 'brand_name', 'domain_name'].every((name) => isText(left[name]) && left[name] === right[name]);
}

function isText(value: JsonValue | undefined): value is string {
  return nonEmptyString(value) !== undefined;
}

/** Demands, supplies, and the demands that each supply can satisfy. */
export interface Assignment {
  demands: readonly number[];
  supplies: readonly number[];
  canServe: (demand: number, supply: number) => boolean;
}

/** Returns the maximum total that can be assigned, a maximum flow (Edmonds–Karp). */
export function maxFlow({ demands, supplies, canServe }: Assignment): number {
  const remainingDemand = [...demands];
  const remainingSupply = [...supplies];
  const flow = demands.map(() => supplies.map(() => 0));
  let total = 0;
  for (let path = findPath(); path; path = findPath()) total += assign(path);
  return total;

  /** Returns an augmenting path from an unmet demand to a remaining supply. */
  function findPath(): { demand: number; supply: number }[] | null {
    const cameFrom = new Map<number, { demand: number; before: number | null }>();
    const queue = remainingDemand.flatMap((amount, demand) =>
      amount > 0 ? [{ demand, before: null as number | null }] : [],
    );
    const seen = new Set(queue.map(({ demand }) => demand));
    for (const { demand, before } of queue) {
      for (const [at] of supplies.entries()) {
        if (cameFrom.has(at) || !canServe(demand, at)) continue;
        cameFrom.set(at, { demand, before });
        if ((remainingSupply[at] ?? 0) > 0) return trace(at, cameFrom);
        for (const [other] of demands.entries()) {
          if (seen.has(other) || (flow[other]?.[at] ?? 0) === 0) continue;
          seen.add(other);
          queue.push({ demand: other, before: at });
        }
      }
    }
    return null;
  }

  /** Augments the flow along a path by its bottleneck capacity. */
  function assign(path: { demand: number; supply: number }[]): number {
    const last = path.at(-1);
    let amount = Math.min(remainingDemand[path[0]?.demand ?? 0] ?? 0, remainingSupply[last?.supply ?? 0] ?? 0);
    for (const [at, { supply: from }] of path.slice(0, -1).entries()) {
      amount = Math.min(amount, flow[path[at + 1]?.demand ?? 0]?.[from] ?? 0);
    }
    for (const [at, step] of path.entries()) {
      addFlow(step.demand, step.supply, amount);
      const next = path[at + 1];
      if (next) addFlow(next.demand, step.supply, -amount);
    }
    remainingDemand[path[0]?.demand ?? 0] = (remainingDemand[path[0]?.demand ?? 0] ?? 0) - amount;
    remainingSupply[last?.supply ?? 0] = (remainingSupply[last?.supply ?? 0] ?? 0) - amount;
    return amount;
  }

  function addFlow(demand: number, at: number, amount: number): void {
    const row = flow[demand];
    if (row) row[at] = (row[at] ?? 0) + amount;
  }
}

function trace(
  end: number,
  cameFrom: ReadonlyMap<number, { demand: number; before: number | null }>,
): { demand: number; supply: number }[] {
  const path: { demand: number; supply: number }[] = [];
  for (let at: number | null = end; at !== null; ) {
    const step: { demand: number; before: number | null } | undefined = cameFrom.get(at);
    if (!step) break;
    path.unshift({ demand: step.demand, supply: at });
    at = step.before;
  }
  return path;
}
