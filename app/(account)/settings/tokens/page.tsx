import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { TokenForm } from '@/components/account/token-form';
import { TokenList } from '@/components/account/token-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listAccessTokens } from '@/lib/tokens';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.accessTokens');
  return { title: t('title') };
}

export default async function AccessTokensPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.accessTokens');
  const { ctx } = await signedIn(routes.accessTokens);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <TokenList tokens={await listAccessTokens({ ctx })} />
      <section aria-labelledby="new-token" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="new-token">
          {t('newToken')}
        </h2>
        <TokenForm />
      </section>
    </>
  );
}
