import type { ReactNode } from 'react';
import type { Visibility } from '@/lib/catalog/schema';
import { ChoiceList } from '../ui/choice-list';
import { Field } from '../ui/field';
import { Select } from '../ui/select';

/** An app as a choice. */
export interface AppChoice {
  id: string;
  name: string;
}

interface ListingFieldsProps {
  apps: AppChoice[];
  visibility: Visibility;
  appId: string | null;
}

const visibilities = [
  { value: 'public', label: 'Public', hint: 'Everyone can find it in the catalogue.' },
  { value: 'unlisted', label: 'Unlisted', hint: 'It is in no list; who knows its address can see and call it.' },
  { value: 'private', label: 'Private', hint: 'Only you can see and call it.' },
] as const satisfies { value: Visibility; label: string; hint: string }[];

/** Who can find the agent (`visibility`), and with which app it asks who is calling (`appId`, empty for none). */
export function ListingFields({ apps, visibility, appId }: ListingFieldsProps): ReactNode {
  return (
    <>
      <ChoiceList choices={visibilities} defaultValue={visibility} legend="Who can find it" name="visibility" />
      <Field
        hint={
          apps.length > 0
            ? 'With the app’s credentials your agent asks Parley who is calling. Without an app it cannot.'
            : 'You have no app yet. Without one your agent cannot ask who is calling; you can create and choose one later.'
        }
        id="app"
        label="Developer app"
      >
        {(control) => (
          <Select {...control} className="w-full" defaultValue={appId ?? ''} name="appId">
            <option value="">None</option>
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
