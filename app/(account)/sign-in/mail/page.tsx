import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { LinkMailForm } from '@/components/account/link-mail-form';
import { routes } from '@/components/shell/routes';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../../page-query';

export const metadata: Metadata = { title: 'Sign in by e-mail' };

export default async function MailSignInPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={
        <>
          Have your password?{' '}
          <Link className="text-link" href={withNext(routes.signIn, next)}>
            Sign in by password
          </Link>
        </>
      }
      lead="We send a link to your e-mail address. It signs you in, once and within 20 minutes."
      title="Sign in by e-mail"
    >
      <LinkMailForm error={value('error')} next={next} path="/api/auth/link" sentPage="/sign-in/mail/sent" />
    </AccountFrame>
  );
}
