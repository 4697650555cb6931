'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { type Fields, useForm, useSyncedForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { toast, useSuccess } from '../../ui/overlays/toast';
import { type AppChoice, ListingFields } from '../agents/listing-fields';

interface AgentSettingsProps {
  agent: OwnAgent;
  apps: AppChoice[];
}

/** The owner's settings of a listing. Unchanged fields are not sent, because they may have changed elsewhere. */
export function AgentSettings({ agent: newest, apps }: AgentSettingsProps): ReactNode {
  const t = useTranslations('console.agentSettings');
  const succeed = useSuccess();
  const { shown: agent, onInput, onSent } = useSyncedForm(newest);
  const suspended = agent.status === 'suspended';
  const tags = agent.tags.join(', ');
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(agent.slug)}`,
    toBody(fields) {
      onSent();
      return changesIn(fields, agent);
    },
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-5" onInput={onInput}>
      <FormProblem problem={problem} />
      <ListingFields
        appId={agent.appId}
        apps={apps}
        key={`${agent.visibility} ${agent.appId}`}
        visibility={agent.visibility}
      />
      <Field error={fieldErrors.tags} hint={t('tagsHint')} id="tags" label={t('tags')}>
        {(control) => <Input {...control} autoComplete="off" defaultValue={tags} key={tags} name="tags" />}
      </Field>
      {suspended ? null : (
        <Checkbox
          defaultChecked={agent.status === 'deprecated'}
          hint={t('deprecatedHint')}
          key={agent.status}
          label={t('deprecated')}
          name="deprecated"
        />
      )}
      <Button pending={pending} tone="primary" type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

function changesIn(fields: Fields, agent: OwnAgent): object {
  const { visibility, appId, tags = '' } = fields;
  const status = 'deprecated' in fields ? 'deprecated' : 'active';
  const wanted = {
    visibility,
    appId: appId || null,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    status: agent.status === 'suspended' ? agent.status : status,
  };
  const isNew = (name: keyof typeof wanted) => JSON.stringify(wanted[name]) !== JSON.stringify(agent[name]);
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => isNew(name as keyof typeof wanted)));
}

/** The choice of whether a changed card requires the team's approval. Saved immediately. */
export function RequireApproval({ slug, holds }: { slug: string; holds: boolean }): ReactNode {
  const t = useTranslations('console.holdCards');
  const succeed = useSuccess();
  const [checked, setChecked] = useState(holds);

  async function save(holdsCards: boolean): Promise<void> {
    setChecked(holdsCards);
    const response = await callApi('PATCH', `/api/agents/${encodeURIComponent(slug)}`, { holdsCards });
    if (!response.ok) {
      setChecked(!holdsCards);
      return toast({ tone: 'danger', text: response.problem.title });
    }
    succeed(t(holdsCards ? 'held' : 'live'));
  }

  return (
    <Checkbox
      checked={checked}
      hint={t('hint')}
      label={t('label')}
      onChange={(event) => void save(event.target.checked)}
    />
  );
}
