'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PriceSummary } from '@/lib/catalog/schema-prices';
import type { AgentSpending } from '@/lib/payments/schema-spending';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import { PriceText } from '../../market/listing/price-text';
import { useFormatMoney } from '../../payments/offers/money';
import { useAgentSpending } from '../../payments/offers/use-orders';
import { payPath } from '../../routes';

export interface ComposerPriceProps {
  agent: ChatAgent;
  signedIn: boolean;
}

/** The possible cost of a message: the agent's price, preceded by the amount that the user can spend there. */
export function ComposerPrice({ agent: { slug, price }, signedIn }: ComposerPriceProps): ReactNode {
  return (
    <>
      {signedIn && price.kind !== 'free' ? <AgentSpendingNote price={price} slug={slug} /> : null}
      {price.kind === 'plan' ? (
        <a className="shrink-0 underline" href={payPath(slug)}>
          <PriceText compact price={price} />
        </a>
      ) : (
        <PriceText className="shrink-0" compact price={price} />
      )}
    </>
  );
}

export interface AgentSpendingNoteProps {
  slug: string;
  price: PriceSummary;
}

/**
 * The amount that the user's limits permit for the next order at the agent or, without a limit, the amount paid there
 * this month. It precedes the price, so that the price does not move when the amount is loaded.
 */
export function AgentSpendingNote({ slug, price }: AgentSpendingNoteProps): ReactNode {
  const t = useTranslations('payments.agentSpending');
  const spending = useAgentSpending(slug);
  const formatMoney = useFormatMoney();
  if (!spending) return null;
  const limit = limitFor(price, spending);
  const [paid] = spending.month;
  if (!limit && !paid) return null;
  const isShort = limit !== null && price.amount !== null && limit.left < price.amount;
  return (
    <span
      className={clsx('flex min-w-0', limit === null && 'max-sm:hidden')}
      title={t(limit ? 'meansLeft' : 'meansPaid')}
    >
      <span className={clsx('truncate', isShort && 'font-medium text-danger')}>
        {limit ? <LimitLeft limit={limit} /> : paid ? t('paid', { sum: formatMoney(paid) }) : null}
      </span>
      <span aria-hidden="true" className="px-1">
        ·
      </span>
    </span>
  );
}

type Limit = AgentSpending['limits'][number];

/** The period is hidden on phones for lack of space. */
function LimitLeft({ limit: { period, currency, left } }: { limit: Limit }): ReactNode {
  const t = useTranslations('payments.agentSpending');
  const text = useFormatMoney()({ currency, minor: left });
  if (period === 'order') return t('order', { left: text });
  return (
    <>
      <span className="sm:hidden">{t('total', { left: text })}</span>
      <span className="max-sm:hidden">{t(period, { left: text })}</span>
    </>
  );
}

/** Returns the limit in the currency of the price; without a stated price, the first one. */
function limitFor(price: PriceSummary, { limits }: AgentSpending): Limit | null {
  return limits.find(({ currency }) => price.currency === null || currency === price.currency) ?? null;
}
