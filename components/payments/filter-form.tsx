import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { LinkButton } from '../ui/link-button';
import { Select } from '../ui/select';

export interface FilterFormProps {
  /** The filtered page; the form submits by GET, so every view has a URL. */
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
}

/** Filters orders, sales or transactions by state, agent and day. */
export function FilterForm({ path, chosen, states }: FilterFormProps): ReactNode {
  const t = useTranslations('payments.filterForm');
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <form action={path} aria-label={t('label')} className="flex flex-wrap items-end gap-x-4 gap-y-3">
      {states ? (
        <Field id="filter-state" label={t('state')} required>
          {({ required: _, ...control }) => (
            <Select {...control} defaultValue={chosen.state ?? ''} name="state">
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
      <FilterField
        label={t('agent')}
        name="agent"
        placeholder={t('agentPlaceholder')}
        type="text"
        value={chosen.agent}
      />
      <FilterField label={t('from')} name="from" type="date" value={chosen.from} />
      <FilterField label={t('to')} name="to" type="date" value={chosen.to} />
      <Button type="submit">{t('filter')}</Button>
      {isFiltered ? (
        <LinkButton href={path} tone="quiet">
          {t('showAll')}
        </LinkButton>
      ) : null}
    </form>
  );
}

interface FilterFieldProps {
  name: string;
  label: string;
  type: 'text' | 'date';
  value: string | undefined;
  placeholder?: string;
}

function FilterField({ name, label, type, value = '', placeholder }: FilterFieldProps): ReactNode {
  return (
    <Field className="w-40" id={`filter-${name}`} label={label} required>
      {({ required: _, ...control }) => (
        <Input {...control} autoComplete="off" defaultValue={value} name={name} placeholder={placeholder} type={type} />
      )}
    </Field>
  );
}
