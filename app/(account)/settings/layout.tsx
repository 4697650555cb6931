import type { ReactNode } from 'react';
import { SettingsFrame } from '@/components/account/settings/settings-frame';

export default function SettingsLayout({ children }: { children: ReactNode }): ReactNode {
  return <SettingsFrame>{children}</SettingsFrame>;
}
