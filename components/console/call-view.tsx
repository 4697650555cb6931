import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type CallQuery, callRanges } from '@/lib/console/schema';
import { LinkButton } from '../ui/controls/button';
import { CloseIcon } from '../ui/display/icons';

interface CallViewProps {
  path: string;
  chosen: CallQuery;
}

/** The time presets of the call log; a custom time is chosen among the filters. */
export function CallPresets({ path, chosen }: CallViewProps): ReactNode {
  const t = useTranslations('console.callFilter');
  const isCustom = chosen.from !== undefined || chosen.to !== undefined;
  const current = isCustom ? 'custom' : (chosen.range ?? '7d');
  const names = { '1h': t('lastHour'), '24h': t('lastDay'), '7d': t('lastWeek') };
  const style = 'inline-flex min-h-9 items-center rounded-sm px-3 font-medium touch:min-h-11';
  return (
    <nav
      aria-label={t('time')}
      className="flex w-fit max-w-full overflow-x-auto rounded-md border border-line-strong bg-surface p-0.5 text-sm"
    >
      {callRanges.map((range) => (
        <Link
          aria-current={range === current ? 'true' : undefined}
          className={`${style} shrink-0 ${range === current ? 'bg-accent-soft text-accent' : 'text-muted hover:text-ink'}`}
          href={callLogHref(path, { ...chosen, from: undefined, to: undefined, range })}
          key={range}
          prefetch={false}
          scroll={false}
        >
          {names[range]}
        </Link>
      ))}
      {isCustom ? (
        <span aria-current="true" className={`${style} shrink-0 bg-accent-soft text-accent`}>
          {t('custom')}
        </span>
      ) : null}
    </nav>
  );
}

/** The filters in effect, each with a link that removes it. */
export function CallFilterChips({ path, chosen }: CallViewProps): ReactNode {
  const t = useTranslations('console.callFilter');
  const texts: Partial<Record<keyof CallQuery, string | undefined>> = {
    q: chosen.q && t('chips.q', { value: chosen.q }),
    status: chosen.status && t('chips.status', { value: t(chosen.status === 'ok' ? 'answered' : 'failed') }),
    code: chosen.code && t('chips.code', { value: chosen.code }),
    method: chosen.method && t('chips.method', { value: chosen.method }),
    origin: chosen.origin && t('chips.origin', { value: t(originNames[chosen.origin]) }),
    caller: chosen.caller && t('chips.caller', { value: chosen.caller }),
    from: chosen.from && t('chips.from', { value: chosen.from.replace('T', ' ') }),
    to: chosen.to && t('chips.to', { value: chosen.to.replace('T', ' ') }),
  };
  const active = Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (active.length === 0) return null;
  return (
    <ul aria-label={t('active')} className="flex flex-wrap items-center gap-2">
      {active.map(([name, text]) => (
        <li key={name}>
          <Link
            aria-label={t('remove', { filter: text })}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-line-strong bg-surface ps-3 pe-2 text-sm hover:bg-sunken touch:min-h-11"
            href={callLogHref(path, { ...chosen, [name]: undefined })}
            prefetch={false}
            scroll={false}
          >
            <span className="truncate">{text}</span>
            <CloseIcon size={14} />
          </Link>
        </li>
      ))}
      {active.length > 1 ? (
        <li>
          <LinkButton href={path} size="sm" tone="quiet">
            {t('showAll')}
          </LinkButton>
        </li>
      ) : null}
    </ul>
  );
}

const originNames = { people: 'people', test: 'tests', replay: 'replays' } as const;

/** The first page of the call log with these filters. */
export function callLogHref(path: string, chosen: CallQuery): string {
  const { cursor: _, limit: __, ...filter } = chosen;
  const query = new URLSearchParams(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}
