import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CallDetail } from '@/lib/console/schema';
import type { ProbeView } from '@/lib/probes/schema';
import { agentCallPath } from '../../routes';
import { QuotedMessage } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Literal } from '../../ui/display/fact-list';
import { useFormat } from '../../ui/display/format';
import { CheckIcon } from '../../ui/display/icons';
import { CallWire } from './call-wire';

interface CallListProps {
  slug: string;
  calls: CallDetail[];
  /** Displayed if there are none. */
  empty: string;
}

/** An agent's calls, newest first. Each time links to the call; failed calls have their reason and HTTP exchange. */
export function CallList({ slug, calls, empty }: CallListProps): ReactNode {
  if (calls.length === 0) {
    return (
      <Card className="flex items-center gap-2.5 p-5 text-sm">
        <CheckIcon className="shrink-0 text-good" />
        {empty}
      </Card>
    );
  }
  return (
    <Card>
      <ol className="divide-y divide-line text-sm">
        {calls.map((call) => (
          <CallItem call={call} key={call.id} slug={slug} />
        ))}
      </ol>
    </Card>
  );
}

function CallItem({ slug, call }: { slug: string; call: CallDetail }): ReactNode {
  const t = useTranslations('console.callList');
  const format = useFormat();
  const { id, at, ms, method, dialect, requestId, failure, wire } = call;
  return (
    <li className="p-4 sm:px-5">
      <div className="grid gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto]">
        {failure ? (
          <p className="font-medium [overflow-wrap:anywhere]">
            <QuotedMessage message={failure.message} />
          </p>
        ) : (
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <Literal>{method}</Literal>
            <Badge tone="good">{t('answered')}</Badge>
          </p>
        )}
        <span className="text-muted tabular-nums sm:text-end">
          <Link className="text-link" href={agentCallPath(slug, id)} prefetch={false}>
            <DateTime at={at} />
          </Link>
        </span>
        <p className="text-muted sm:col-span-2">
          {failure ? <Literal>{method ? `${failure.code} · ${method}` : failure.code}</Literal> : null}
          {failure ? ' · ' : null}
          {dialect ? `A2A ${dialect} · ${format.duration(ms)} · ` : null}
          {t.rich('request', { id: requestId, mono: (id) => <Literal>{id}</Literal> })}
        </p>
      </div>
      {wire ? <CallWire wire={wire} /> : null}
    </li>
  );
}

/** The agent's health checks, newest first; failed ones have their reason and HTTP exchange. */
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
        {failure ? (
          <p className="[overflow-wrap:anywhere] sm:col-span-2">
            <QuotedMessage message={failure.message} />
          </p>
        ) : null}
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
