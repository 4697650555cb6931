import type { ReactNode } from 'react';
import type { Visibility } from '@/lib/catalog/schema';
import { Field } from '../ui/field';
import { Select } from '../ui/select';

/** What the owner decides about a listing. */
export interface ListingChoice {
  visibility: Visibility;
  appId: string | null;
}

interface ListingFieldsProps {
  apps: { id: string; name: string }[];
  choice: ListingChoice;
  onChange: (choice: ListingChoice) => void;
}

/** Who can find the agent, and with which app it asks who is calling. */
export function ListingFields({ apps, choice, onChange }: ListingFieldsProps): ReactNode {
  return (
    <div className="grid max-w-lg gap-5">
      <Field id="visibility" label="Who can find it">
        {(control) => (
          <Select
            {...control}
            onChange={(event) => onChange({ ...choice, visibility: event.target.value as Visibility })}
            value={choice.visibility}
          >
            <option value="public">Everyone</option>
            <option value="unlisted">Who knows its name</option>
            <option value="private">Only me</option>
          </Select>
        )}
      </Field>
      <Field
        hint="With the app’s credentials your agent asks Parley who is calling. Without one it cannot."
        id="app"
        label="Developer app"
      >
        {(control) => (
          <Select
            {...control}
            onChange={(event) => onChange({ ...choice, appId: event.target.value || null })}
            value={choice.appId ?? ''}
          >
            <option value="">None</option>
            {apps.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
