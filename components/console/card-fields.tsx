import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_SHOWN_DESCRIPTION, MAX_SHOWN_NAME } from '@/lib/catalog/limits';
import { Field } from '../forms/field';
import { Checkbox, controlClass, Input, Select } from '../forms/inputs';
import type { CardDraft } from './card-from-draft';

interface CardFieldsProps {
  draft: CardDraft;
  onChange: (part: Partial<CardDraft>) => void;
}

/** The card's fields about the agent as a whole. */
export function CardFields({ draft, onChange }: CardFieldsProps): ReactNode {
  const t = useTranslations('console.cardFields');
  return (
    <>
      <Field id="card-name" label={t('name')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={MAX_SHOWN_NAME}
            onChange={(e) => onChange({ name: e.target.value })}
            value={draft.name}
          />
        )}
      </Field>
      <Field hint={t('descriptionHint')} id="card-description" label={t('description')} required>
        {(control) => (
          <textarea
            {...control}
            className={`${controlClass} min-h-24 py-2`}
            maxLength={MAX_SHOWN_DESCRIPTION}
            onChange={(e) => onChange({ description: e.target.value })}
            value={draft.description}
          />
        )}
      </Field>
      <Field hint={t('addressHint')} id="card-url" label={t('address')} required>
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
        <Field id="card-version" label={t('version')} required>
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
        <Field id="card-auth" label={t('auth')} required>
          {({ required: _, ...control }) => (
            <Select
              {...control}
              onChange={(e) => onChange({ auth: e.target.value as CardDraft['auth'] })}
              value={draft.auth}
            >
              <option value="bearer">{t('authBearer')}</option>
              <option value="none">{t('authNone')}</option>
              {draft.auth === 'own' ? <option value="own">{t('authOwn')}</option> : null}
            </Select>
          )}
        </Field>
      </div>
      <Checkbox
        checked={draft.streaming}
        hint={t('streamsHint')}
        label={t('streams')}
        onChange={(e) => onChange({ streaming: e.target.checked })}
      />
    </>
  );
}
