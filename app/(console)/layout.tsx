import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { ConsoleFrame } from '@/components/console/frame/console-frame';
import { SiteShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';

export const metadata: Metadata = { robots: { index: false } };

export default async function ConsoleLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { actor } = await pageContext();
  return (
    <SiteShell user={await shellUserOf(actor)}>
      <PageTexts of="app/(console)">
        <ConsoleFrame>{children}</ConsoleFrame>
      </PageTexts>
    </SiteShell>
  );
}
