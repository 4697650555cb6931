import type { Metadata } from 'next';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { ConfirmForm } from '@/components/account/sign-in/confirm-form';
import { problemKeyOf } from '@/components/forms/form-problem';
import { LinkButton } from '@/components/ui/controls/button';
import { Alert } from '@/components/ui/display/alert';
import { findPendingSignUp } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.confirm');
  return { title: t('title') };
}

export default async function ConfirmPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.confirm');
  const { next, value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const pending = await findPendingSignUp({ ctx: await pageContext(), input: { token } });
  if (!pending) return <UselessLink next={next} />;
  return (
    <AccountFrame lead={t('lead')} title={t('title')}>
      <ConfirmForm email={pending.email} error={value('error')} next={next} token={token} />
    </AccountFrame>
  );
}

function UselessLink({ next }: { next: string }): ReactNode {
  const t = useTranslations('account.pages.confirm');
  const tProblems = useTranslations('account.problems');
  const key = problemKeyOf('not_found');
  return (
    <AccountFrame title={t('title')}>
      <Alert title={tProblems(`${key}.title`)} tone="warn">
        {tProblems(`${key}.text`)}
      </Alert>
      <div className="flex flex-wrap gap-3">
        <LinkButton href={withNext('/sign-in', next)} tone="primary">
          {t('signIn')}
        </LinkButton>
        <LinkButton href={withNext('/sign-up', next)}>{t('signUp')}</LinkButton>
      </div>
    </AccountFrame>
  );
}
