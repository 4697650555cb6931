import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AccountFrame } from '@/components/account/account-frame';
import { DeviceSignIn } from '@/components/account/device-sign-in';
import { routes } from '@/components/shell/routes';

export const metadata: Metadata = { title: 'Sign in a device' };

export default async function DevicePage(): Promise<ReactNode> {
  const { email } = await signedIn(routes.device);
  return (
    <AccountFrame
      lead={
        <>
          It will act as <bdi className="font-medium break-words text-ink">{email}</bdi>.
        </>
      }
      title="Sign in a device"
    >
      <DeviceSignIn />
    </AccountFrame>
  );
}
