import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { ProviderButtons } from '@/components/account/provider-buttons';
import { SignUpForm } from '@/components/account/sign-up-form';
import { pageContext } from '@/lib/http/page-context';
import { listProviders } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Sign up' };

export default async function SignUpPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  const { actor } = await pageContext();
  if (actor.kind === 'user') redirect(next);
  return (
    <AccountFrame
      footer={
        <>
          Already have an account?{' '}
          <Link className="text-link" href={withNext('/sign-in', next)}>
            Sign in
          </Link>
        </>
      }
      lead="An account lets you talk to agents and list your own."
      title="Sign up"
    >
      <SignUpForm error={value('error')} next={next} />
      <ProviderButtons next={next} providers={listProviders()} />
    </AccountFrame>
  );
}
