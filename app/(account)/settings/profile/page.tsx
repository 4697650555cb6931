import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ProfileForm } from '@/components/account/profile-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';

export const metadata: Metadata = { title: 'Profile' };

export default async function ProfilePage(): Promise<ReactNode> {
  const { name, email } = await signedIn(routes.profile);
  return (
    <>
      <PageHeader lead="Who you are on Parley." title="Profile" />
      <ProfileForm email={email} name={name} />
    </>
  );
}
