import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CallPage, CallQuery } from '@/lib/console/schema';
import { Field } from '../forms/field';
import { Input, Select } from '../forms/inputs';
import { Button } from '../ui/controls/button';
import { FilterIcon } from '../ui/display/icons';

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

/** Filters the call log beyond its time presets. The form submits by GET, so every view has a URL. */
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
