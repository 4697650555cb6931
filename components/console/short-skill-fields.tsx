import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '../forms/field';
import { Input } from '../forms/inputs';
import { Button } from '../ui/controls/button';
import { type BuiltSkill, slugFrom } from './card-from-draft';

/** A skill in two sentences. */
export interface ShortSkill {
  key: number;
  name: string;
  description: string;
}

interface ShortSkillFieldsProps {
  skills: ShortSkill[];
  onChange: (skills: ShortSkill[]) => void;
}

export function noSkill(key: number): ShortSkill {
  return { key, name: '', description: '' };
}

/** The named skills as a card has them; without any, the one skill `otherwise`. */
export function toCardSkills(
  skills: ShortSkill[],
  otherwise: Pick<ShortSkill, 'name' | 'description'>,
): Omit<BuiltSkill, 'examples'>[] {
  const named = skills.filter(({ name }) => name.trim() !== '');
  return (named.length > 0 ? named : [otherwise]).map(({ name, description }, index) => {
    const id = slugFrom(name) || `skill-${index + 1}`;
    return { id, name: name.trim(), description: description.trim() || name.trim(), tags: [name.trim().toLowerCase()] };
  });
}

/** The agent's skills, each as a name and a sentence. */
export function ShortSkillFields({ skills, onChange }: ShortSkillFieldsProps): ReactNode {
  const t = useTranslations('console.shortSkillFields');
  const change = (key: number, part: Partial<ShortSkill>): void =>
    onChange(skills.map((skill) => (skill.key === key ? { ...skill, ...part } : skill)));
  const next = Math.max(0, ...skills.map(({ key }) => key)) + 1;
  return (
    <div className="space-y-4">
      {skills.map((skill, index) => (
        <fieldset className="rounded-lg border border-line px-4 pt-2 pb-4" key={skill.key}>
          <legend className="px-1 text-sm font-semibold">{t('skill', { number: String(index + 1) })}</legend>
          <div className="space-y-4">
            <Field hint={index === 0 ? t('nameHint') : undefined} id={`skill-${skill.key}-name`} label={t('name')}>
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  onChange={(event) => change(skill.key, { name: event.target.value })}
                  value={skill.name}
                />
              )}
            </Field>
            <Field id={`skill-${skill.key}-description`} label={t('description')}>
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  onChange={(event) => change(skill.key, { description: event.target.value })}
                  value={skill.description}
                />
              )}
            </Field>
            {skills.length > 1 ? (
              <Button onClick={() => onChange(skills.filter(({ key }) => key !== skill.key))} size="sm">
                {t('remove', { number: String(index + 1) })}
              </Button>
            ) : null}
          </div>
        </fieldset>
      ))}
      <Button onClick={() => onChange([...skills, noSkill(next)])} size="sm">
        {t('add')}
      </Button>
    </div>
  );
}
