import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame, LinkExpired } from '@/components/account/sign-in/account-frame';
import { LinkSignInForm } from '@/components/account/sign-in/link-sign-in-form';
import { findLinkOwner } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../../page-query';

// `no-referrer` would remove the Origin of a form posted without JavaScript, which the same-origin check requires.
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.signInLink');
  return { title: t('title'), referrer: 'strict-origin' };
}

/** The target of a sign-in link. Opening it changes nothing, because email scanners open links. */
export default async function SignInLinkPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.signInLink');
  const { next, value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const reader = await findLinkOwner({ ctx: await pageContext(), input: { token, purpose: 'sign-in' } });
  return (
    <AccountFrame title={t('heading')}>
      {reader ? (
        <>
          <p>
            {t.rich('who', {
              email: reader.email,
              address: (chunks) => <span className="font-medium break-words">{chunks}</span>,
            })}
          </p>
          <LinkSignInForm error={value('error')} next={next} token={token} />
        </>
      ) : (
        <LinkExpired again={withNext('/sign-in/mail', next)} />
      )}
    </AccountFrame>
  );
}
