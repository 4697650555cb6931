import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { SessionList } from '@/components/account/session-list';
import { TokenList } from '@/components/account/token-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listSessions } from '@/lib/identity';
import { listAccessTokens } from '@/lib/tokens';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.sessions);
  const devices = (await listAccessTokens({ ctx })).filter(({ kind }) => kind === 'device');
  return (
    <>
      <PageHeader lead="Where you are signed in. End what you do not know." title="Sessions" />
      <SessionList devices={devices.length} sessions={await listSessions({ ctx })} />
      {devices.length > 0 ? (
        <section aria-labelledby="devices" className="mt-10">
          <h2 className="mb-4 text-xl font-semibold" id="devices">
            Command lines and devices
          </h2>
          <TokenList tokens={devices} />
        </section>
      ) : null}
    </>
  );
}
