import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { OrderScreen, PrintButton } from '@/components/payments/orders/order-screen';
import { orderPath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getOrder, getReceipt } from '@/lib/payments';

interface PageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.order');
  return { title: t('order') };
}

export default async function OrderPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.order');
  const { id } = await params;
  const { ctx } = await signedIn(orderPath(id));
  const input = { id };
  const [detail, receipt] = await Promise.all([
    orNotFound(getOrder({ ctx, input })),
    orNotFound(getReceipt({ ctx, input })),
  ]);
  return (
    <div className="page-x py-8 md:py-12 print:py-0">
      <div className="mx-auto max-w-3xl">
        <PageHeader
          actions={<PrintButton />}
          crumbs={[{ href: routes.orders, text: t('orders') }]}
          title={t(receipt.token ? 'receipt' : 'order')}
        />
        <OrderScreen detail={detail} receipt={receipt} />
      </div>
    </div>
  );
}
