import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { CaseView } from '@/components/moderation/case-view';
import { casePath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getCase } from '@/lib/moderation';
import { forModerators, metadataForModerators } from '../../../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.case');
  return metadataForModerators({ title: t('title') });
}

export default async function CasePage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  const found = getCase({ ctx: await pageContext(), input: { id } });
  const t = await getTranslations('moderation.pages.case');
  return (
    <div className="page-x py-8 md:py-12">
      {
        await forModerators(found, {
          here: casePath(id),
          show: (one) => (
            <>
              <PageHeader crumbs={[{ href: routes.moderation, text: t('all') }]} title={one.title} />
              <CaseView found={one} />
            </>
          ),
        })
      }
    </div>
  );
}
