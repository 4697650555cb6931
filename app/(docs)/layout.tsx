import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { DocsFrame } from '@/components/docs/docs-frame';
import { SiteShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';
import { listDocs } from '@/lib/docs';
import { languageOf } from '@/lib/texts/languages';

export default async function DocsLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { actor } = await pageContext();
  const entries = listDocs(languageOf(await getLocale()));
  return (
    <SiteShell user={await shellUserOf(actor)}>
      <PageTexts of="app/(docs)">
        <DocsFrame entries={entries}>{children}</DocsFrame>
      </PageTexts>
    </SiteShell>
  );
}
