import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { orderNameOf } from '@/components/payments/orders/order-name';
import { OrderScreen, PrintButton } from '@/components/payments/orders/order-screen';
import { PaperList } from '@/components/payments/papers/paper-list';
import { orderPath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { ConsoleSection } from '@/components/ui/display/card';
import { revealInvisible, UntrustedText } from '@/components/ui/display/untrusted-text';
import { getOrder, getReceipt, listPapers } from '@/lib/payments';

interface PageProps {
  params: Promise<{ id: string }>;
}

/** Loads the order once for the title and the page. */
const loadOrder = cache(async (id: string) => {
  const { ctx } = await signedIn(orderPath(id));
  return orNotFound(getOrder({ ctx, input: { id } }));
});

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('payments.orderName');
  const { order } = await loadOrder((await params).id);
  return { title: revealInvisible(orderNameOf(order, t)) };
}

export default async function OrderPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.order');
  const { id } = await params;
  const tName = await getTranslations('payments.orderName');
  const { ctx } = await signedIn(orderPath(id));
  const [detail, receipt, papers] = await Promise.all([
    loadOrder(id),
    orNotFound(getReceipt({ ctx, input: { id } })),
    listPapers({ ctx, input: { as: 'buyer', sale: id } }),
  ]);
  return (
    <div className="page-x py-8 md:py-12 print:py-0">
      <div className="mx-auto max-w-3xl">
        <PageHeader
          actions={<PrintButton />}
          crumbs={[{ href: routes.orders, text: t('orders') }]}
          lead={t(receipt.token ? 'receipt' : 'order')}
          title={<UntrustedText text={orderNameOf(detail.order, tName)} />}
        />
        <OrderScreen detail={detail} receipt={receipt} />
        {papers.items.length > 0 ? (
          <div className="print:hidden">
            <ConsoleSection id="papers" title={t('papers')}>
              <PaperList papers={papers.items} />
            </ConsoleSection>
          </div>
        ) : null}
      </div>
    </div>
  );
}
