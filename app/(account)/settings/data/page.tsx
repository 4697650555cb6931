import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { DeleteAccount } from '@/components/account/delete-account';
import { ExportData } from '@/components/account/export-data';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { getProfile } from '@/lib/identity';

export const metadata: Metadata = { title: 'Your data' };

export default async function OwnDataPage(): Promise<ReactNode> {
  const { ctx, email } = await signedIn(routes.ownData);
  const { hasPassword } = await getProfile({ ctx });
  return (
    <>
      <PageHeader lead="Take what Parley keeps about you with you, or have it removed." title="Your data" />
      <div className="max-w-2xl space-y-10">
        <ExportData />
        <DeleteAccount email={email} hasPassword={hasPassword} />
      </div>
    </>
  );
}
