import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { SiteShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';
import { isAdmin } from '@/lib/identity';

export const metadata: Metadata = { robots: { index: false } };

/** Only for moderators; 404 for other users. */
export default async function AdminLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const { actor } = await pageContext();
  if (actor.kind !== 'user' || !isAdmin(actor)) notFound();
  return (
    <SiteShell user={await shellUserOf(actor)}>
      <PageTexts of="app/(admin)">{children}</PageTexts>
    </SiteShell>
  );
}
