import type { ReactNode } from 'react';
import { SettingsNav } from '@/components/account/settings/settings-nav';

export default function SettingsLayout({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="page-x grid gap-x-12 gap-y-6 py-8 md:grid-cols-[11rem_minmax(0,1fr)] md:py-12">
      <SettingsNav />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
