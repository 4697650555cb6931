import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { ProviderButtons } from '@/components/account/provider-buttons';
import { SignInForm } from '@/components/account/sign-in-form';
import { Alert } from '@/components/ui/alert';
import { pageContext } from '@/lib/http/page-context';
import { listProviders } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  const { actor } = await pageContext();
  const reason = value('reason');
  // Who is about to pay signs in once more.
  if (actor.kind === 'user' && reason !== 'pay') redirect(next);
  return (
    <AccountFrame
      footer={
        <>
          New here?{' '}
          <Link className="text-link" href={withNext('/sign-up', next)}>
            Sign up
          </Link>
        </>
      }
      title="Sign in"
    >
      {reason === 'pay' ? (
        <Alert>Sign in once more, to be sure that it is you. You come back to where you were.</Alert>
      ) : null}
      {reason === 'send' ? <Alert>Sign in to send your message. It is kept.</Alert> : null}
      <SignInForm error={value('error')} next={next} reason={reason} />
      <ProviderButtons next={next} providers={listProviders()} />
    </AccountFrame>
  );
}
