import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Visibility } from '@/lib/catalog/schema';
import { ChoiceList } from '../../forms/choice-list';
import { Field } from '../../forms/field';
import { Select } from '../../forms/inputs';

/** An app as an option. */
export interface AppChoice {
  id: string;
  name: string;
}

interface ListingFieldsProps {
  apps: AppChoice[];
  visibility: Visibility;
  appId: string | null;
}

const visibilities = ['public', 'unlisted', 'private'] as const satisfies Visibility[];

/** The visibility of the agent (`visibility`), and the app that it uses for introspection (`appId`, empty for none). */
export function ListingFields({ apps, visibility, appId }: ListingFieldsProps): ReactNode {
  const t = useTranslations('console.listingFields');
  return (
    <>
      <ChoiceList
        choices={visibilities.map((value) => ({
          value,
          label: t(`visibilities.${value}.label`),
          hint: t(`visibilities.${value}.hint`),
        }))}
        defaultValue={visibility}
        legend={t('visibility')}
        name="visibility"
      />
      <Field hint={t(apps.length > 0 ? 'appHint' : 'noAppHint')} id="app" label={t('app')}>
        {(control) => (
          <Select {...control} className="w-full" defaultValue={appId ?? ''} name="appId">
            <option value="">{t('noApp')}</option>
            {apps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
