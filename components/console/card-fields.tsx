import type { ReactNode } from 'react';
import { Checkbox } from '../ui/checkbox';
import { controlClass } from '../ui/control-class';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import type { CardDraft } from './built-card';

interface CardFieldsProps {
  draft: CardDraft;
  onChange: (part: Partial<CardDraft>) => void;
}

/** What a card says of the agent as a whole. */
export function CardFields({ draft, onChange }: CardFieldsProps): ReactNode {
  return (
    <>
      <Field id="card-name" label="Name" required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={80}
            onChange={(e) => onChange({ name: e.target.value })}
            value={draft.name}
          />
        )}
      </Field>
      <Field
        hint="What it does and for whom; people decide by this."
        id="card-description"
        label="Description"
        required
      >
        {(control) => (
          <textarea
            {...control}
            className={`${controlClass} min-h-24 py-2`}
            maxLength={2000}
            onChange={(e) => onChange({ description: e.target.value })}
            value={draft.description}
          />
        )}
      </Field>
      <Field hint="The address that takes JSON-RPC calls." id="card-url" label="Address for calls" required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            inputMode="url"
            onChange={(e) => onChange({ url: e.target.value })}
            placeholder="https://agent.example/a2a"
            spellCheck={false}
            value={draft.url}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-6">
        <Field id="card-version" label="Version" required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              className="max-w-32"
              onChange={(e) => onChange({ version: e.target.value })}
              value={draft.version}
            />
          )}
        </Field>
        <Field id="card-auth" label="It asks for" required>
          {({ required: _, ...control }) => (
            <Select
              {...control}
              onChange={(e) => onChange({ auth: e.target.value === 'none' ? 'none' : 'bearer' })}
              value={draft.auth}
            >
              <option value="bearer">a token (Parley sends one)</option>
              <option value="none">nothing</option>
            </Select>
          )}
        </Field>
      </div>
      <Checkbox
        checked={draft.streaming}
        hint="It answers message/stream while it works."
        label="It streams"
        onChange={(e) => onChange({ streaming: e.target.checked })}
      />
    </>
  );
}
