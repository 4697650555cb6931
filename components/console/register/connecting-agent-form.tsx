'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_SHOWN_DESCRIPTION, MAX_SHOWN_NAME, MAX_SLUG_LENGTH } from '@/lib/catalog/limits';
import type { AgentSummary } from '@/lib/catalog/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Textarea } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { ownAgentPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { type AppChoice, ListingFields } from '../agents/listing-fields';
import { type BuiltSkill, slugFrom } from '../builder/card-draft';

type Translator = ReturnType<typeof useTranslations<'console.connectingAgentForm'>>;

interface ConnectingAgentFormProps {
  apps: AppChoice[];
  /** The URL with which the new agent's URL starts. */
  agentsUrl: string;
}

/** Lists an agent that connects to Parley, with the texts of its listing. Its page then describes how to connect it. */
export function ConnectingAgentForm({ apps, agentsUrl }: ConnectingAgentFormProps): ReactNode {
  const t = useTranslations('console.connectingAgentForm');
  const router = useRouter();
  const [name, setName] = useState('');
  /** Derived from the name until the user changes it. */
  const [chosenSlug, setChosenSlug] = useState<string | null>(null);
  const [skills, setSkills] = useState<ShortSkill[]>([noSkill(1)]);
  const slug = chosenSlug ?? slugFrom(name).slice(0, MAX_SLUG_LENGTH);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/agents',
    check: (fields) => missingIn(fields, t),
    toBody: ({ description = '', visibility, appId }) => ({
      hub: true,
      slug,
      visibility,
      appId: appId || null,
      card: {
        name: name.trim(),
        description: description.trim(),
        version: '1.0.0',
        skills: toCardSkills(skills, { name: t('chat'), description: description.trim() }),
      },
    }),
    onDone(body) {
      router.push(ownAgentPath((body as AgentSummary).slug));
      return 'leaving';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.name} id="name" label={t('name')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={MAX_SHOWN_NAME}
            name="name"
            onChange={(event) => setName(event.target.value)}
            value={name}
          />
        )}
      </Field>
      <Field
        error={fieldErrors.slug}
        hint={t.rich('slugHint', {
          address: `${agentsUrl}/${slug || '…'}`,
          mono: (address) => <span className="block font-mono text-xs break-all">{address}</span>,
        })}
        id="slug"
        label={t('slug')}
        required
      >
        {(control) => (
          <Input
            {...control}
            autoCapitalize="none"
            autoComplete="off"
            maxLength={MAX_SLUG_LENGTH}
            name="slug"
            onChange={(event) => setChosenSlug(event.target.value)}
            spellCheck={false}
            value={slug}
          />
        )}
      </Field>
      <Field
        error={fieldErrors.description}
        hint={t('descriptionHint')}
        id="description"
        label={t('description')}
        required
      >
        {(control) => <Textarea {...control} maxLength={MAX_SHOWN_DESCRIPTION} name="description" rows={3} />}
      </Field>
      <ShortSkillFields onChange={setSkills} skills={skills} />
      <ListingFields appId={null} apps={apps} visibility="public" />
      <Button pending={pending} tone="primary" type="submit">
        {t('list')}
      </Button>
    </form>
  );
}

function missingIn(fields: Fields, t: Translator): FieldErrors {
  const texts = { name: t('noName'), slug: t('noSlug'), description: t('noDescription') };
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !fields[name]?.trim()));
}

/** A skill in two sentences. */
interface ShortSkill {
  key: number;
  name: string;
  description: string;
}

interface ShortSkillFieldsProps {
  skills: ShortSkill[];
  onChange: (skills: ShortSkill[]) => void;
}

function noSkill(key: number): ShortSkill {
  return { key, name: '', description: '' };
}

/** Returns the skills that have a name in the format of a card or, if there are none, one default skill. */
function toCardSkills(
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
function ShortSkillFields({ skills, onChange }: ShortSkillFieldsProps): ReactNode {
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
