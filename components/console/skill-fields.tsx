import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '../forms/field';
import { controlClass, Input } from '../forms/inputs';
import { Button } from '../ui/controls/button';
import type { SkillDraft } from './card-from-draft';

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
