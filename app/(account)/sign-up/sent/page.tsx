import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { MailSent } from '@/components/account/mail-sent';
import { mailsAreSent } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../../page-query';

export const metadata: Metadata = { title: 'Look into your mail' };

export default async function SignUpSentPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={
        <>
          Nothing came?{' '}
          <Link className="text-link" href={withNext('/sign-up', next)}>
            Try again
          </Link>
        </>
      }
      title="Look into your mail"
    >
      <MailSent mailsAreSent={mailsAreSent()}>
        We sent a mail to the address you gave. Open the link in it within 24 hours and enter your password once more;
        then you are signed in.
      </MailSent>
    </AccountFrame>
  );
}
