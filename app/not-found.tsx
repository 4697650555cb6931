import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { MissingView } from '@/components/market/missing-view';
import { SiteShell } from '@/components/shell/site-shell';
import { pageContext } from '@/lib/http/page-context';

export const metadata: Metadata = { title: 'Not found' };

export default async function NotFound(): Promise<ReactNode> {
  const { actor } = await pageContext();
  return (
    <SiteShell user={actor.kind === 'user' ? { name: actor.name, email: actor.email } : null}>
      <MissingView />
    </SiteShell>
  );
}
