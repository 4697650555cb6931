import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { TokenForm } from '@/components/account/token-form';
import { TokenList } from '@/components/account/token-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listAccessTokens } from '@/lib/tokens';

export const metadata: Metadata = { title: 'Access tokens' };

export default async function AccessTokensPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.accessTokens);
  return (
    <>
      <PageHeader
        lead="For a command line or a script that acts as you, without your password."
        title="Access tokens"
      />
      <TokenList tokens={await listAccessTokens({ ctx })} />
      <section aria-labelledby="new-token" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="new-token">
          New token
        </h2>
        <TokenForm />
      </section>
    </>
  );
}
