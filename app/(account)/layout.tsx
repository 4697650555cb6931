import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { UnreachableText } from '@/components/account/unreachable-text';
import { SiteShell } from '@/components/shell/site-shell';
import { AreaTexts } from '@/components/texts/area-texts';
import { pageContext } from '@/lib/http/page-context';

export const metadata: Metadata = { robots: { index: false } };

export default async function AccountLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const t = await getTranslations('account.callApi');
  const { actor } = await pageContext();
  return (
    <AreaTexts of={['account', 'payments', 'moderation']}>
      <UnreachableText text={t('unreachable')} />
      <SiteShell user={actor.kind === 'user' ? { name: actor.name, email: actor.email } : null}>{children}</SiteShell>
    </AreaTexts>
  );
}
