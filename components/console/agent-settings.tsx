'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import { FormProblem } from '../account/form-problem';
import { type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { type AppChoice, ListingFields } from './listing-fields';

interface AgentSettingsProps {
  agent: OwnAgent;
  apps: AppChoice[];
}

/** What the owner can change about a listing. */
export function AgentSettings({ agent, apps }: AgentSettingsProps): ReactNode {
  const t = useTranslations('console.agentSettings');
  const router = useRouter();
  const suspended = agent.status === 'suspended';
  const { form, pending, problem, faults } = useForm({
    method: 'PATCH',
    path: `/api/agents/${encodeURIComponent(agent.slug)}`,
    toBody: (fields) => ({ ...changesIn(fields), ...(suspended ? {} : { status: statusIn(fields) }) }),
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <ListingFields appId={agent.appId} apps={apps} visibility={agent.visibility} />
      <Field error={faults.tags} hint={t('tagsHint')} id="tags" label={t('tags')}>
        {(control) => <Input {...control} autoComplete="off" defaultValue={agent.tags.join(', ')} name="tags" />}
      </Field>
      {suspended ? null : (
        <Checkbox
          defaultChecked={agent.status === 'deprecated'}
          hint={t('deprecatedHint')}
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

function changesIn({ visibility, appId, tags = '' }: Fields): object {
  return { visibility, appId: appId || null, tags: tags.split(',').filter((tag) => tag.trim() !== '') };
}

function statusIn(fields: Fields): string {
  return 'deprecated' in fields ? 'deprecated' : 'active';
}
