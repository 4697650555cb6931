import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { UntrustedText } from '../ui/display/untrusted-text';

export interface OrderPartiesProps {
  /** The merchant's name. */
  payee: string;
  /** The address of the cart's signer. Its host is shown if it is a website. */
  issuer: string | null;
  agent: string;
}

/** The payee, and the agent that made the offer. */
export function OrderParties({ payee, issuer, agent }: OrderPartiesProps): ReactNode {
  const t = useTranslations('payments.orderParties');
  const host = issuer && URL.canParse(issuer) && issuer.startsWith('https:') ? new URL(issuer).host : null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-muted">{t('paidTo')}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">
        <UntrustedText text={payee} />
      </dd>
      <dt className="text-muted">{t('agent')}</dt>
      <dd className="[overflow-wrap:anywhere]">
        <UntrustedText text={agent} />
      </dd>
      {host ? (
        <>
          <dt className="text-muted">{t('signedBy')}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <UntrustedText text={host} />
          </dd>
        </>
      ) : null}
    </dl>
  );
}
