import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { MailSent } from '@/components/account/mail-sent';
import { mailsAreSent } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../../../page-query';

export const metadata: Metadata = { title: 'Look into your mail' };

export default async function MailSentPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={
        <>
          Nothing came?{' '}
          <Link className="text-link" href={withNext('/sign-in/mail', next)}>
            Try again
          </Link>
        </>
      }
      title="Look into your mail"
    >
      <MailSent mailsAreSent={mailsAreSent()}>
        If there is an account with the address you gave, a link is on its way to it. Open it within 20 minutes, in any
        browser, and press the button.
      </MailSent>
    </AccountFrame>
  );
}
