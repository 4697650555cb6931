import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { StandingForm } from '@/components/payments/standing/standing-form';
import { newStandingPath, orderPath } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Alert } from '@/components/ui/display/alert';
import { hasCode } from '@/lib/pages/site';
import { getOrder } from '@/lib/payments';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.standingForm');
  return { title: t('open') };
}

interface PageProps {
  searchParams: Promise<{ order?: string | string[] }>;
}

const proposedDays = 90;

export default async function NewStandingPage({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.standingForm');
  const { order: id } = await searchParams;
  const { ctx } = await signedIn(newStandingPath(String(id)));
  const { order } = await getOrder({ ctx, input: { id: String(id) } }).catch((error: unknown) => {
    if (hasCode(error, 'not_found')) notFound();
    throw error;
  });
  const { offer } = order;
  if (!offer) notFound();
  const isPaid = (order.payment?.captured ?? 0) > 0;
  const until = new Date(ctx.now.getTime() + proposedDays * 86_400_000).toISOString().slice(0, 10);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title', { name: order.agent.name })} />
      {isPaid ? (
        <StandingForm order={{ ...order, offer }} until={until} />
      ) : (
        <Alert title={t('notPaid')}>
          <LinkButton className="mt-3" href={orderPath(order.id)} size="sm">
            {t('view')}
          </LinkButton>
        </Alert>
      )}
    </>
  );
}
