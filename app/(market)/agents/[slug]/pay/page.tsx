import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { ApprovePrice } from '@/components/payments/prices/approve-price';
import { agentPath, payPath } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { PageTexts } from '@/components/texts/page-texts';
import { UntrustedText } from '@/components/ui/display/untrusted-text';
import { getPriceTerms } from '@/lib/payments';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.approvePrice');
  return { title: t('title'), robots: { index: false } };
}

/** The page on which a user approves an agent's price. */
export default async function PayPage({ params }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const t = await getTranslations('payments.approvePrice');
  const { ctx } = await signedIn(payPath(slug));
  const terms = await orNotFound(getPriceTerms({ ctx, input: { slug } }));
  return (
    <PageTexts of="app/(market)/agents/[slug]/pay">
      <div className="page-x py-8 md:py-12">
        <div className="mx-auto max-w-xl">
          <PageHeader
            crumbs={[{ href: agentPath(slug), text: terms.agent.name }]}
            lead={t('lead')}
            title={t.rich('titleOf', { name: () => <UntrustedText text={terms.agent.name} /> })}
          />
          <ApprovePrice terms={terms} />
        </div>
      </div>
    </PageTexts>
  );
}
