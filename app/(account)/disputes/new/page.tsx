import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { NewDispute } from '@/components/payments/disputes/new-dispute';
import { TermsOfAcceptance } from '@/components/payments/offers/acceptance';
import { newDisputePath, paymentSettings } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Alert } from '@/components/ui/display/alert';
import { DateTime } from '@/components/ui/display/date-time';
import { getDisputableSale } from '@/lib/payments';
import { DISPUTE_REASONS, openDisputeSchema } from '@/lib/payments/schema-disputes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.newDispute');
  return { title: t('title') };
}

interface PageProps {
  searchParams: Promise<Record<'kind' | 'sale' | 'reason', string | string[] | undefined>>;
}

export default async function NewDisputePage({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.newDispute');
  const { kind, sale, reason: wanted } = await searchParams;
  const parsed = openDisputeSchema.pick({ kind: true, saleId: true }).safeParse({ kind, saleId: sale });
  if (!parsed.success) notFound();
  const { ctx } = await signedIn(newDisputePath(parsed.data.kind, parsed.data.saleId));
  const found = await orNotFound(getDisputableSale({ ctx, input: parsed.data }));
  const { agent, currency, left, until, isOpen, acceptance, closedReasons } = found;
  const reason = DISPUTE_REASONS.find((each) => each === wanted && !closedReasons.includes(each));
  return (
    <div className="page-x py-8 md:py-12">
      <div className="mx-auto max-w-3xl">
        <PageHeader
          crumbs={[{ href: paymentSettings('charges'), text: t('payments') }]}
          lead={t('lead', { name: agent.name })}
          title={t('title')}
        />
        {isOpen && left > 0 ? (
          <>
            <p className="mb-6 text-sm text-muted">
              {t.rich('until', { time: () => <DateTime at={until.toISOString()} /> })}
            </p>
            {acceptance ? (
              <div className="mb-6">
                <TermsOfAcceptance acceptance={acceptance} terms={acceptance.terms} />
              </div>
            ) : null}
            <NewDispute
              closedReasons={closedReasons}
              currency={currency}
              left={left}
              reason={reason}
              {...parsed.data}
            />
          </>
        ) : (
          <Alert tone="info">{t(left > 0 ? 'tooLate' : 'nothingLeft')}</Alert>
        )}
      </div>
    </div>
  );
}
