import type { PriceSummary } from '../../../lib/catalog/schema-prices';
import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';

/** An agent that may receive the message. */
export interface AgentChoiceView {
  slug: string;
  name: string;
  description: string;
  skill: string | null;
  /** Null if it is not readable. */
  price: PriceSummary | null;
  /** 0 to 100; null if nothing fits, or search by meaning is unavailable. */
  fit: number | null;
}

export type AgentChoicesView = AgentChoiceView[];

const MAX_CHOICES = 10;
const slugPattern = /^[a-z0-9-]{1,60}$/;
const priceKinds: readonly string[] = ['free', 'from', 'in_chat', 'unstated'];

/** Reads the choices of the concierge (docs/data-parts.md). Null for all other data. */
export function readAgentChoices(data: JsonValue): AgentChoicesView | null {
  if (!isObject(data) || !Array.isArray(data.choices) || data.choices.length > MAX_CHOICES) return null;
  const choices = data.choices.map(readChoice).filter((choice) => choice !== null);
  if (choices.length === 0 || choices.length !== data.choices.length) return null;
  // The share of a match would contradict that nothing fits.
  return data.reason === 'nothing-fits' ? choices.map((choice) => ({ ...choice, fit: null })) : choices;
}

function readChoice(value: JsonValue): AgentChoiceView | null {
  if (!isObject(value)) return null;
  const slug = nonEmptyString(value.agent);
  const name = nonEmptyString(value.name);
  if (slug === undefined || name === undefined || !slugPattern.test(slug)) return null;
  const { score } = value;
  return {
    slug,
    name,
    description: nonEmptyString(value.description) ?? '',
    skill: isObject(value.skill) ? (nonEmptyString(value.skill.name) ?? null) : null,
    price: readPrice(value.price),
    fit: typeof score === 'number' && Number.isFinite(score) ? Math.round(Math.min(Math.max(score, 0), 1) * 100) : null,
  };
}

function readPrice(value: JsonValue | undefined): PriceSummary | null {
  if (!isObject(value) || typeof value.kind !== 'string' || !priceKinds.includes(value.kind)) return null;
  const { kind, amount, currency, unit, per } = value;
  const isSum = Number.isSafeInteger(amount) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
  return {
    kind: kind as PriceSummary['kind'],
    amount: isSum ? (amount as number) : null,
    currency: isSum ? currency : null,
    unit: isSum ? (nonEmptyString(unit) ?? 'task') : null,
    per: isSum && Number.isSafeInteger(per) ? (per as number) : null,
  };
}
