import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../../lib/protocol/json';
import { Badge } from '../../../ui/display/badge';
import { InfoIcon } from '../../../ui/display/icons';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { CardFrame, type Fact, FactList } from '../card-frame';
import { JsonCard } from '../json-card';

interface PaymentDataProps {
  value: JsonValue;
}

/** The agent's claim about the requested purchase, for display only. */
export function IntentCard({ value }: PaymentDataProps): ReactNode {
  const t = useTranslations('parts.noticeCards');
  const tFacts = useTranslations('parts.noticeFacts');
  const intent = useMemo(() => readIntent(value, tFacts), [value, tFacts]);
  if (!intent) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label={t('intent')}>
      <CardTitle badge={t(intent.mayBuyAlone ? 'mayBuyAlone' : 'asksFirst')} title={t('wantsToBuy')} />
      <p className="[overflow-wrap:anywhere]">
        <UntrustedText text={intent.description} />
      </p>
      <FactList facts={intent.facts} />
      <p className="text-xs text-muted">{t('intentHint')}</p>
    </CardFrame>
  );
}

/** A merchant's payment methods. There is nothing to fill in, because Parley requests the payment itself. */
export function MethodDataCard({ value }: PaymentDataProps): ReactNode {
  const t = useTranslations('parts.noticeCards');
  const tFacts = useTranslations('parts.noticeFacts');
  const facts = useMemo(() => readMethodData(value, tFacts), [value, tFacts]);
  if (facts.length === 0) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label={t('waysToPay')}>
      <CardTitle title={t('merchantTakes')} />
      <FactList facts={facts} />
      <p className="text-xs text-muted">{t('waysToPayHint')}</p>
    </CardFrame>
  );
}

/** An address that an agent understood or asks about. */
export function AddressCard({ value }: PaymentDataProps): ReactNode {
  const t = useTranslations('parts.noticeCards');
  const tFacts = useTranslations('parts.noticeFacts');
  const facts = useMemo(() => readAddress(value, tFacts), [value, tFacts]);
  if (facts.length === 0) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label={t('address')}>
      <CardTitle title={t('address')} />
      <FactList facts={facts} />
      <p className="text-xs text-muted">{t('addressHint')}</p>
    </CardFrame>
  );
}

/**
 * An action outside of Parley that the merchant requests. It has no input, because a bank's codes must be entered only
 * on the bank's page.
 */
export function ChallengeCard({ value }: PaymentDataProps): ReactNode {
  const t = useTranslations('parts.noticeCards');
  const text = useMemo(() => readChallenge(value), [value]);
  return (
    <CardFrame className="space-y-2 p-4" label={t('actionNeeded')}>
      <CardTitle badge={t('actionNeeded')} title={t('challenge')} />
      <p className="[overflow-wrap:anywhere]">{text === null ? t('noWords') : <UntrustedText text={text} />}</p>
      <p className="flex gap-2 text-xs">
        <InfoIcon className="mt-0.5 shrink-0 text-warn" size={14} />
        {t('challengeHint')}
      </p>
    </CardFrame>
  );
}

/** Terms of a payment method that Parley does not offer. */
export function X402Card({ value }: PaymentDataProps): ReactNode {
  const t = useTranslations('parts.noticeCards');
  const tFacts = useTranslations('parts.noticeFacts');
  const facts = useMemo(() => readX402(value, tFacts), [value, tFacts]);
  return (
    <CardFrame className="space-y-3 p-4" label={t('needsX402')}>
      <CardTitle badge={t('notPayable')} title={t('x402')} />
      <FactList facts={facts} />
      <p className="text-xs text-muted">{t('x402Hint')}</p>
    </CardFrame>
  );
}

function CardTitle({ title, badge }: { title: string; badge?: string }): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p className="font-semibold">{title}</p>
      {badge ? <Badge tone="warn">{badge}</Badge> : null}
    </div>
  );
}

/** The translator of fact names. */
type FactTexts = ReturnType<typeof useTranslations<'parts.noticeFacts'>>;

/** Maximum items listed individually. */
const MAX_ITEMS = 20;

/** Claims of an intent: what the agent may buy, from whom, until when. Unverified. */
interface IntentFacts {
  description: string;
  /** True if the agent may buy without confirmation. */
  mayBuyAlone: boolean;
  facts: Fact[];
}

/** Reads an IntentMandate of AP2 0.1; null for all other data. */
function readIntent(value: JsonValue, t: FactTexts): IntentFacts | null {
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

/** Reads a merchant's payment methods (PaymentMethodData): their names, and only the names of their data. */
function readMethodData(value: JsonValue, t: FactTexts): Fact[] {
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

/** Reads an address (ContactAddress), line by line; empty for all other data. */
function readAddress(value: JsonValue, t: FactTexts): Fact[] {
  if (!isObject(value)) return [];
  return addressNames.flatMap(([name, key]) => listFact(t(key), value[name]) ?? textFact(t(key), value[name]) ?? []);
}

/** Returns the merchant's text about an action outside of the chat. */
function readChallenge(value: JsonValue): string | null {
  if (!isObject(value)) return nonEmptyString(value) ?? null;
  return (
    nonEmptyString(value.display_text) ?? nonEmptyString(value.message) ?? nonEmptyString(value.description) ?? null
  );
}

/** Reads x402 terms, bare or as a cart's only payment method: amount, network and asset as written. */
function readX402(value: JsonValue, t: FactTexts): Fact[] {
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
