import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { ConfirmForm } from '@/components/account/confirm-form';
import { problemTextOf } from '@/components/account/problem-text';
import { Alert } from '@/components/ui/alert';
import { LinkButton } from '@/components/ui/link-button';
import { pageContext } from '@/lib/http/page-context';
import { findPendingSignUp } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Confirm your address' };

export default async function ConfirmPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const pending = await findPendingSignUp({ ctx: await pageContext(), input: { token } });
  if (!pending) return <UselessLink next={next} />;
  return (
    <AccountFrame
      lead="Enter your password once more. It shows that it was you who signed up."
      title="Confirm your address"
    >
      <ConfirmForm email={pending.email} error={value('error')} next={next} token={token} />
    </AccountFrame>
  );
}

function UselessLink({ next }: { next: string }): ReactNode {
  const { title, text } = problemTextOf('not_found');
  return (
    <AccountFrame title="Confirm your address">
      <Alert title={title} tone="warn">
        {text}
      </Alert>
      <div className="flex flex-wrap gap-3">
        <LinkButton href={withNext('/sign-in', next)} tone="primary">
          Sign in
        </LinkButton>
        <LinkButton href={withNext('/sign-up', next)}>Sign up</LinkButton>
      </div>
    </AccountFrame>
  );
}
