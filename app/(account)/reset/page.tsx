import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame, LinkExpired } from '@/components/account/sign-in/account-frame';
import { ResetForm } from '@/components/account/sign-in/reset-form';
import { findLinkOwner } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.reset');
  return { title: t('title'), referrer: 'strict-origin' };
}

export default async function ResetPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.reset');
  const { next, value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const reader = await findLinkOwner({ ctx: await pageContext(), input: { token, purpose: 'reset' } });
  return (
    <AccountFrame title={t('title')}>
      {reader ? (
        <ResetForm email={reader.email} error={value('error')} next={next} token={token} />
      ) : (
        <LinkExpired again={withNext('/forgot', next)} />
      )}
    </AccountFrame>
  );
}
