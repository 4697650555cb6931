import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { ActivityView } from '@/components/moderation/activity-view';
import { ModerationNav } from '@/components/moderation/moderation-nav';
import { moderationPaths } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getModerationActivity } from '@/lib/moderation';
import { forModerators, metadataForModerators } from '../../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.activity');
  return metadataForModerators({ title: t('title') });
}

export default async function ModerationActivityPage(): Promise<ReactNode> {
  const found = getModerationActivity({ ctx: await pageContext() });
  const t = await getTranslations('moderation.pages.activity');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <ModerationNav />
      {
        await forModerators(found, {
          here: moderationPaths.activity,
          show: (activity) => <ActivityView activity={activity} />,
        })
      }
    </div>
  );
}
