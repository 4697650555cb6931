import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { Reauthenticate } from '@/components/forms/reauthenticate';
import { DisputeScreen } from '@/components/payments/disputes/dispute-screen';
import { disputePath, moderationPaths, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { hasCode } from '@/lib/pages/site';
import { getDispute, getDisputeEvidence } from '@/lib/payments';
import type { DisputeEvidence, DisputeRole, DisputeView } from '@/lib/payments/schema-disputes';

interface PageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.dispute');
  return { title: t('title') };
}

/** The list from which each role comes. */
const lists: Record<DisputeRole, string> = {
  buyer: routes.disputes,
  seller: routes.saleDisputes,
  moderator: moderationPaths.disputes,
};

/** Loads a dispute with its evidence; null for a moderator whose sign-in is too old. */
const loadDispute = cache(async (id: string): Promise<{ dispute: DisputeView; evidence: DisputeEvidence } | null> => {
  const { ctx } = await signedIn(disputePath(id));
  try {
    const dispute = await orNotFound(getDispute({ ctx, input: { id } }));
    return { dispute, evidence: await getDisputeEvidence({ ctx, input: { id } }) };
  } catch (error) {
    if (!hasCode(error, 'sign_in_again')) throw error;
    return null;
  }
});

export default async function DisputePage({ params }: PageProps): Promise<ReactNode> {
  const { id } = await params;
  const t = await getTranslations('payments.pages.dispute');
  const found = await loadDispute(id);
  return (
    <div className="page-x py-8 md:py-12">
      <div className="mx-auto max-w-3xl">
        {found ? (
          <>
            <PageHeader
              crumbs={[{ href: lists[found.dispute.role], text: t('disputes') }]}
              lead={t(`lead.${found.dispute.role}`)}
              title={t('title')}
            />
            <DisputeScreen {...found} />
          </>
        ) : (
          <Reauthenticate returnTo={disputePath(id)} what="moderate" />
        )}
      </div>
    </div>
  );
}
