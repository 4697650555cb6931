'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';
import { RaiseProblem } from './raise-problem';
import { useRaise } from './use-raise';

/** The time zone of days and months, with the browser's as an alternative. */
export function ZoneChoice({ timeZone }: { timeZone: string | null }): ReactNode {
  const t = useTranslations('payments.zoneChoice');
  const router = useRouter();
  const [own, setOwn] = useState<string | null>(null);
  const { busy, problem, save } = useRaise('/api/spending/time-zone', () => {
    toast({ tone: 'good', text: t('saved') });
    router.refresh();
  });
  const current = timeZone ?? 'UTC';

  useEffect(() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone), []);

  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {t('zone', { zone: current })}
        {own && own !== current ? (
          <Button onClick={() => void save({ timeZone: own })} pending={busy !== null} size="sm">
            {t('use', { zone: own })}
          </Button>
        ) : null}
      </p>
      <RaiseProblem problem={problem} />
    </div>
  );
}
