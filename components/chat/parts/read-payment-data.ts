import type { useTranslations } from 'next-intl';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import type { Fact } from './fact-list';

/** The translator of fact names. */
type FactTexts = ReturnType<typeof useTranslations<'parts.noticeFacts'>>;

/** Maximum items listed individually. */
const MAX_ITEMS = 20;

/** Claims of an intent: what the agent may buy, from whom, until when. Unverified. */
export interface IntentFacts {
  description: string;
  /** The agent may buy without confirmation. */
  mayBuyAlone: boolean;
  facts: Fact[];
}

/** An IntentMandate of AP2 0.1; null for anything else. */
export function readIntent(value: JsonValue, t: FactTexts): IntentFacts | null {
  const description = isObject(value) ? nonEmptyString(value.natural_language_description) : undefined;
  if (!isObject(value) || !description) return null;
  const facts = [
    listFact(t('merchants'), value.merchants),
    listFact(t('articles'), value.skus),
    value.requires_refundability === true ? { label: t('refund'), value: t('refundNeeded') } : null,
    textFact(t('ends'), value.intent_expiry),
  ];
  return {
    description,
    mayBuyAlone: value.user_cart_confirmation_required === false,
    facts: facts.filter((fact) => fact !== null),
  };
}

/** A merchant's payment methods (PaymentMethodData): their names, and only the names of their data. */
export function readMethodData(value: JsonValue, t: FactTexts): Fact[] {
  const methods = (Array.isArray(value) ? value : [value]).filter(isObject).slice(0, MAX_ITEMS);
  return methods.flatMap((method): Fact[] => {
    const name = nonEmptyString(method.supported_methods) ?? nonEmptyString(method.supported_method);
    if (!name) return [];
    const members = isObject(method.data) ? Object.keys(method.data).slice(0, MAX_ITEMS) : [];
    return [{ label: name, value: members.length > 0 ? t('with', { members: members.join(', ') }) : t('noDetails') }];
  });
}

const addressNames = [
  ['recipient', 'recipient'],
  ['organization', 'organization'],
  ['address_line', 'street'],
  ['postal_code', 'postalCode'],
  ['city', 'town'],
  ['dependent_locality', 'district'],
  ['region', 'region'],
  ['country', 'country'],
  ['phone_number', 'phone'],
] as const;

/** An address (ContactAddress), line by line; empty for anything else. */
export function readAddress(value: JsonValue, t: FactTexts): Fact[] {
  if (!isObject(value)) return [];
  return addressNames.flatMap(([name, key]) => listFact(t(key), value[name]) ?? textFact(t(key), value[name]) ?? []);
}

/** The merchant's text about an action outside of the chat. */
export function readChallenge(value: JsonValue): string | null {
  if (!isObject(value)) return nonEmptyString(value) ?? null;
  return (
    nonEmptyString(value.display_text) ?? nonEmptyString(value.message) ?? nonEmptyString(value.description) ?? null
  );
}

/** x402 terms, bare or as a cart's only payment method: amount, network, asset, as written. */
export function readX402(value: JsonValue, t: FactTexts): Fact[] {
  const [terms] = isObject(value) ? termsOf(value).filter(isObject) : [];
  if (!terms) return [];
  const amount = textFact(t('amount'), terms.maxAmountRequired ?? terms.amount);
  const facts = [amount, textFact(t('network'), terms.network), textFact(t('asset'), assetOf(terms))];
  return facts.filter((fact) => fact !== null);
}

function termsOf(value: JsonObject): JsonValue[] {
  if (Array.isArray(value.accepts)) return value.accepts;
  const contents = isObject(value.contents) ? value.contents : value;
  const request = isObject(contents.payment_request) ? contents.payment_request : {};
  const [method] = Array.isArray(request.method_data) ? request.method_data.filter(isObject) : [];
  return isObject(method?.data) ? termsOf(method.data) : [value];
}

function assetOf({ asset, extra }: JsonObject): JsonValue | undefined {
  return (isObject(extra) ? nonEmptyString(extra.name) : undefined) ?? asset;
}

function textFact(label: string, value: JsonValue | undefined): Fact | null {
  if (typeof value === 'number') return { label, value: String(value) };
  const text = nonEmptyString(value);
  return text ? { label, value: text } : null;
}

function listFact(label: string, value: JsonValue | undefined): Fact | null {
  if (!Array.isArray(value)) return null;
  const words = value.filter((item) => typeof item === 'string').slice(0, MAX_ITEMS);
  return words.length > 0 ? { label, value: words.join(', ') } : null;
}
