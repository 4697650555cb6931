import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MarkedText } from '../chat/parts/marked-text';

export interface OrderPartiesProps {
  /** The name under which the merchant sells. */
  payee: string;
  /** Who signed the cart. */
  issuer: string | null;
  agent: string;
}

/** Who gets the money, and through which agent it was offered. */
export function OrderParties({ payee, issuer, agent }: OrderPartiesProps): ReactNode {
  const t = useTranslations('payments.orderParties');
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-muted">{t('paidTo')}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">
        <MarkedText text={payee} />
      </dd>
      <dt className="text-muted">{t('agent')}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <MarkedText text={agent} />
      </dd>
      {issuer ? (
        <>
          <dt className="text-muted">{t('signedBy')}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <MarkedText text={issuer} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}
