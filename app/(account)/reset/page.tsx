import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { LinkOver } from '@/components/account/link-over';
import { ResetForm } from '@/components/account/reset-form';
import { pageContext } from '@/lib/http/page-context';
import { findLinkReader } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'strict-origin' };

export default async function ResetPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const reader = await findLinkReader({ ctx: await pageContext(), input: { token, purpose: 'reset' } });
  return (
    <AccountFrame title="Set a new password">
      {reader ? (
        <ResetForm email={reader.email} error={value('error')} next={next} token={token} />
      ) : (
        <LinkOver again={withNext('/forgot', next)} />
      )}
    </AccountFrame>
  );
}
