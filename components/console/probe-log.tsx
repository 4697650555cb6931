import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ProbeView } from '@/lib/probes/schema';
import { Badge } from '../ui/display/badge';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { Literal } from '../ui/display/fact-list';
import { useFormat } from '../ui/display/format';
import { CallWire } from './call-wire';

/** The agent's health checks, newest first; failed ones with reason and HTTP exchange. */
export function ProbeLog({ probes }: { probes: ProbeView[] }): ReactNode {
  const t = useTranslations('console.probeLog');
  if (probes.length === 0) return <p className="text-sm text-muted">{t('none')}</p>;
  return (
    <Card>
      <ol className="divide-y divide-line text-sm">
        {probes.map((probe) => (
          <ProbeItem key={probe.id} probe={probe} />
        ))}
      </ol>
    </Card>
  );
}

function ProbeItem({ probe: { at, kind, good, ms, failure } }: { probe: ProbeView }): ReactNode {
  const t = useTranslations('console.probeLog');
  const format = useFormat();
  return (
    <li className="p-4 sm:px-5">
      <div className="grid gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t(`kinds.${kind}`)}
          <Badge tone={good ? 'good' : 'danger'}>{t(good ? 'answered' : 'failed')}</Badge>
        </p>
        <span className="text-muted tabular-nums sm:text-end">
          <DateTime at={at} />
        </span>
        {failure ? <p className="[overflow-wrap:anywhere] sm:col-span-2">{failure.message}</p> : null}
        <p className="text-muted sm:col-span-2">
          {failure ? (
            <>
              <Literal>{failure.code}</Literal> ·{' '}
            </>
          ) : null}
          {format.duration(ms)}
        </p>
      </div>
      {failure?.wire ? <CallWire wire={failure.wire} /> : null}
    </li>
  );
}
