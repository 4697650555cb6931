import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { SiteShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';

export default async function MarketLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { actor } = await pageContext();
  return (
    <PageTexts of="app/(market)">
      <SiteShell user={await shellUserOf(actor)}>{children}</SiteShell>
    </PageTexts>
  );
}
