import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CaseView } from '@/components/moderation/case-view';
import { PageHeader } from '@/components/shell/page-header';
import { casePath, routes } from '@/components/shell/routes';
import { pageContext } from '@/lib/http/page-context';
import { getCase } from '@/lib/moderation';
import { forModerators } from '../../../for-moderators';

export const metadata: Metadata = { title: 'Case' };

export default async function CasePage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  const found = getCase({ ctx: await pageContext(), input: { id } });
  return (
    <div className="page-x py-8 md:py-12">
      <Link className="text-link text-sm" href={routes.moderation} prefetch={false}>
        All cases
      </Link>
      {
        await forModerators(found, {
          here: casePath(id),
          show: (one) => (
            <>
              <PageHeader title={one.title} />
              <CaseView found={one} />
            </>
          ),
        })
      }
    </div>
  );
}
