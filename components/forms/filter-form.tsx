import { useTimeZone, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, buttonClass, LinkButton } from '../ui/controls/button';
import { isUtc } from '../ui/display/format';
import { DownloadIcon } from '../ui/display/icons';
import { Field } from './field';
import { Input, Select } from './inputs';

interface FilterFormProps {
  /** The filtered page. The form is submitted by GET, so that every view has a URL. */
  path: string;
  /** The current filter. */
  chosen: {
    state?: string | undefined;
    agent?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  };
  /** Options of `state`, if the list has states. */
  states?: Record<string, string>;
  /** The agents of the list, to choose from. */
  agents: { slug: string; name: string }[];
}

/**
 * Filters orders or sales by state, agent and day. Days are in UTC, which a note states for readers in other time
 * zones.
 */
export function FilterForm({ path, chosen, states, agents }: FilterFormProps): ReactNode {
  const t = useTranslations('payments.filterForm');
  const zone = useTimeZone() ?? 'UTC';
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <form
      action={path}
      aria-label={t('label')}
      className="grid grid-cols-2 items-end gap-x-4 gap-y-3 sm:flex sm:flex-wrap"
    >
      {states ? (
        <Field id="filter-state" label={t('state')} required>
          {({ required: _, ...control }) => (
            <Select {...control} className="w-full" defaultValue={chosen.state ?? ''} name="state">
              <option value="">{t('all')}</option>
              {Object.entries(states).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <AgentField agents={agents} {...(chosen.agent ? { value: chosen.agent } : {})} />
      <DayField label={t('from')} name="from" value={chosen.from} />
      <DayField label={t('to')} name="to" value={chosen.to} />
      <Button type="submit">{t('filter')}</Button>
      {isFiltered ? (
        <LinkButton href={path} tone="quiet">
          {t('showAll')}
        </LinkButton>
      ) : null}
      {isUtc(zone) ? null : <p className="col-span-2 text-xs text-muted sm:basis-full">{t('days')}</p>}
    </form>
  );
}

/** The choice of an agent. A selected agent that is not in the list stays selected. */
function AgentField({ agents, value = '' }: { agents: { slug: string; name: string }[]; value?: string }): ReactNode {
  const t = useTranslations('payments.filterForm');
  const isListed = value === '' || agents.some(({ slug }) => slug === value);
  return (
    <Field className="min-w-0 sm:max-w-56" id="filter-agent" label={t('agent')} required>
      {({ required: _, ...control }) => (
        <Select {...control} className="w-full" defaultValue={value} name="agent">
          <option value="">{t('all')}</option>
          {isListed ? null : <option value={value}>{value}</option>}
          {agents.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface DayFieldProps {
  name: string;
  label: string;
  value: string | undefined;
}

function DayField({ name, label, value = '' }: DayFieldProps): ReactNode {
  return (
    <Field className="min-w-0 sm:w-40" id={`filter-${name}`} label={label} required>
      {({ required: _, ...control }) => (
        <Input {...control} autoComplete="off" defaultValue={value} name={name} type="date" />
      )}
    </Field>
  );
}

interface ExportLinksProps {
  /** The endpoint of the page's rows. */
  api: string;
  /** The filter of the page, without its cursor. */
  query: URLSearchParams;
  formats: readonly ('csv' | 'json')[];
}

/** Exports all rows of the filter, with plain links, so that the browser saves the response. */
export function ExportLinks({ api, query, formats }: ExportLinksProps): ReactNode {
  return formats.map((format) => (
    <a className={buttonClass({ size: 'sm' })} download href={`${api}?${withFormat(query, format)}`} key={format}>
      <DownloadIcon size={16} />
      {format.toUpperCase()}
    </a>
  ));
}

function withFormat(query: URLSearchParams, format: string): URLSearchParams {
  const longer = new URLSearchParams(query);
  longer.set('format', format);
  return longer;
}
