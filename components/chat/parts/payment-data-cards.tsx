import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import type { JsonValue } from '../../../lib/protocol/json';
import { Badge } from '../../ui/display/badge';
import { InfoIcon } from '../../ui/display/icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';
import { FactList } from './fact-list';
import { JsonCard } from './json-card';
import { readAddress, readChallenge, readIntent, readMethodData, readX402 } from './read-payment-data';

interface PaymentDataProps {
  value: JsonValue;
}

/** The agent's claim about the requested purchase. Display only. */
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

/** A merchant's payment methods. Parley requests the payment itself, so there is nothing to fill in. */
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

/** An action the merchant requests elsewhere. It has no input: a bank's codes belong on the bank's page only. */
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
