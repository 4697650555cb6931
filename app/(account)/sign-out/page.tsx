import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { Button } from '@/components/ui/button';
import { pageContext } from '@/lib/http/page-context';

export const metadata: Metadata = { title: 'Sign out' };

export default async function SignOutPage(): Promise<ReactNode> {
  const { actor } = await pageContext();
  if (actor.kind !== 'user') redirect('/');
  return (
    <AccountFrame lead="Your conversations stay; you find them again when you sign in." title="Sign out">
      <p>
        You are signed in as <strong className="font-semibold break-all">{actor.email}</strong>.
      </p>
      <form action="/api/auth/sign-out" method="post">
        <Button className="w-full" tone="primary" type="submit">
          Sign out
        </Button>
      </form>
    </AccountFrame>
  );
}
