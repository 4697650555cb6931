import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_SHOWN_DESCRIPTION, MAX_SHOWN_NAME } from '@/lib/catalog/limits';
import { Field } from '../../forms/field';
import { Checkbox, controlClass, Input, Select } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import type { CardDraft, SkillDraft } from './card-draft';

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

interface SkillFieldsProps {
  skills: SkillDraft[];
  onChange: (skills: SkillDraft[]) => void;
}

/** The skills of a card. */
export function SkillFields({ skills, onChange }: SkillFieldsProps): ReactNode {
  const t = useTranslations('console.skillFields');
  const change = (key: number, part: Partial<SkillDraft>): void =>
    onChange(skills.map((skill) => (skill.key === key ? { ...skill, ...part } : skill)));
  const next = Math.max(0, ...skills.map(({ key }) => key)) + 1;
  return (
    <>
      {skills.map((skill, index) => (
        <fieldset className="space-y-4 rounded-lg border border-line p-4" key={skill.key}>
          <legend className="px-1 text-sm font-semibold">{t('skill', { number: String(index + 1) })}</legend>
          <SkillField label={t('name')} name="name" onChange={change} skill={skill} />
          <SkillField label={t('description')} name="description" onChange={change} skill={skill} />
          <SkillField hint={t('tagsHint')} label={t('tags')} name="tags" onChange={change} skill={skill} />
          <Field hint={t('examplesHint')} id={`skill-${skill.key}-examples`} label={t('examples')} required>
            {(control) => (
              <textarea
                {...control}
                className={`${controlClass} min-h-20 py-2`}
                onChange={(event) => change(skill.key, { examples: event.target.value })}
                value={skill.examples}
              />
            )}
          </Field>
          {skills.length > 1 ? (
            <Button onClick={() => onChange(skills.filter(({ key }) => key !== skill.key))} size="sm">
              {t('remove', { number: String(index + 1) })}
            </Button>
          ) : null}
        </fieldset>
      ))}
      <Button onClick={() => onChange([...skills, { key: next, name: '', description: '', tags: '', examples: '' }])}>
        {t('add')}
      </Button>
    </>
  );
}

interface SkillFieldProps {
  skill: SkillDraft;
  name: 'name' | 'description' | 'tags';
  label: string;
  hint?: string;
  onChange: (key: number, part: Partial<SkillDraft>) => void;
}

function SkillField({ skill, name, label, hint, onChange }: SkillFieldProps): ReactNode {
  return (
    <Field hint={hint} id={`skill-${skill.key}-${name}`} label={label} required>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          onChange={(event) => onChange(skill.key, { [name]: event.target.value })}
          value={skill[name]}
        />
      )}
    </Field>
  );
}
