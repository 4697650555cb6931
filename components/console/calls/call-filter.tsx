import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type CallPage, type CallQuery, callRanges } from '@/lib/console/schema';
import { Field } from '../../forms/field';
import { Input, Select } from '../../forms/inputs';
import { Button, LinkButton } from '../../ui/controls/button';
import { CloseIcon, FilterIcon } from '../../ui/display/icons';

interface CallViewProps {
  path: string;
  chosen: CallQuery;
}

/** The time presets of the call log. A custom time is selected in the filters. */
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

/** Returns the first page of the call log with these filters. */
export function callLogHref(path: string, chosen: CallQuery): string {
  const { cursor: _, limit: __, ...filter } = chosen;
  const query = new URLSearchParams(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

interface CallFilterProps {
  path: string;
  chosen: CallQuery;
  choices: CallPage['choices'];
}

const zones = [
  'UTC',
  'Europe/London',
  'Europe/Rome',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'America/New_York',
  'America/Los_Angeles',
];

/** Filters the call log in addition to its time presets. The form is submitted by GET, so that every view has a URL. */
export function CallFilter({ path, chosen, choices }: CallFilterProps): ReactNode {
  const t = useTranslations('console.callFilter');
  const states = { ok: t('answered'), failed: t('failed') };
  const origins = { people: t('people'), test: t('tests'), replay: t('replays') };
  const { zone = 'UTC' } = chosen;
  const known = zones.includes(zone) ? zones : [zone, ...zones];
  const isCustom = chosen.from !== undefined || chosen.to !== undefined;
  return (
    <details className="group rounded-lg border border-line bg-surface" key={JSON.stringify(chosen)} open={isCustom}>
      <summary className="flex min-h-10 w-fit cursor-pointer items-center gap-2 rounded-lg px-4 text-sm font-medium touch:min-h-11">
        <FilterIcon size={16} />
        {t('more')}
      </summary>
      <form
        action={path}
        aria-label={t('label')}
        className="grid gap-x-4 gap-y-4 border-t border-line p-4 sm:grid-cols-2 lg:grid-cols-4"
      >
        {chosen.q ? <input name="q" type="hidden" value={chosen.q} /> : null}
        {chosen.range ? <input name="range" type="hidden" value={chosen.range} /> : null}
        <Choice label={t('status')} name="status" options={states} value={chosen.status} />
        <Choice label={t('code')} name="code" options={named(choices.codes)} value={chosen.code} />
        <Choice label={t('method')} name="method" options={named(choices.methods)} value={chosen.method} />
        <Choice label={t('origin')} name="origin" options={origins} value={chosen.origin} />
        <Text label={t('person')} name="caller" placeholder={t('personPlaceholder')} value={chosen.caller} />
        <Text label={t('from')} name="from" type="datetime-local" value={chosen.from} />
        <Text label={t('to')} name="to" type="datetime-local" value={chosen.to} />
        <Choice label={t('zone')} name="zone" options={named(known)} value={zone} without />
        <Button className="w-fit" tone="primary" type="submit">
          {t('filter')}
        </Button>
      </form>
    </details>
  );
}

function named(values: string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, value]));
}

interface ChoiceProps {
  label: string;
  name: string;
  options: Record<string, string>;
  value: string | undefined;
  /** Omits "All". */
  without?: boolean;
}

function Choice({ label, name, options, value = '', without = false }: ChoiceProps): ReactNode {
  const t = useTranslations('console.callFilter');
  return (
    <Field id={`calls-${name}`} label={label} required>
      {({ required: _, ...control }) => (
        <Select {...control} className="w-full" defaultValue={value} name={name}>
          {without ? null : <option value="">{t('all')}</option>}
          {Object.entries(options).map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface TextProps {
  label: string;
  name: string;
  value: string | undefined;
  type?: 'text' | 'datetime-local';
  placeholder?: string;
}

function Text({ label, name, value = '', type = 'text', placeholder }: TextProps): ReactNode {
  return (
    <Field id={`calls-${name}`} label={label} required>
      {({ required: _, ...control }) => (
        <Input {...control} autoComplete="off" defaultValue={value} name={name} placeholder={placeholder} type={type} />
      )}
    </Field>
  );
}
