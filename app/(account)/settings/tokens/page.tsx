import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { TokenForm } from '@/components/account/access/token-form';
import { TokenList } from '@/components/account/access/token-list';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { defaultLimit, getPaymentSettings } from '@/lib/payments';
import { listAccessTokens } from '@/lib/tokens';
import type { PageQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.accessTokens');
  return { title: t('title') };
}

export default async function AccessTokensPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.accessTokens');
  const { ctx } = await signedIn(routes.accessTokens);
  const [tokens, { passkeyAbove }] = await Promise.all([listAccessTokens({ ctx }), getPaymentSettings({ ctx })]);
  const ofToken = (period: 'order' | 'day' | 'month'): number => defaultLimit({ scope: 'token', period }) ?? 0;
  // A payment above the passkey limit requires a passkey, which a token does not have.
  const order = Math.min(ofToken('order'), passkeyAbove ?? Number.POSITIVE_INFINITY);
  const caps = { order, day: ofToken('day'), month: ofToken('month') };
  const list = pageOfList(routes.accessTokens, tokens, {
    query: await searchParams,
    textOf: ({ name, prefix }) => `${name} ${prefix}`,
  });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <SearchableList label={t('search')} list={list}>
        <TokenList tokens={list.shown} />
      </SearchableList>
      <section aria-labelledby="new-token" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="new-token">
          {t('newToken')}
        </h2>
        <TokenForm caps={caps} />
      </section>
    </>
  );
}
