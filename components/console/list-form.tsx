'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import type { AgentPreview } from '@/lib/catalog/schema-preview';
import { FormProblem } from '../forms/form-problem';
import { Checkbox } from '../forms/inputs';
import { type FieldErrors, useForm } from '../forms/use-form';
import { ownAgentPath } from '../routes';
import { Button } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { toast } from '../ui/overlays/toast';
import { type AppChoice, ListingFields } from './listing-fields';

interface ListFormProps {
  url: string;
  preview: AgentPreview;
  apps: AppChoice[];
}

const noFaults: FieldErrors = {};

/** Lists the agent whose card was just read, or updates its listing. */
export function ListForm({ url, preview, apps }: ListFormProps): ReactNode {
  const t = useTranslations('console.listForm');
  const router = useRouter();
  const { isListed, otherOrigin } = preview;
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/agents',
    check: (fields) => (otherOrigin && !('confirmOrigin' in fields) ? { confirmOrigin: t('unconfirmed') } : noFaults),
    toBody: ({ visibility, appId, confirmOrigin }) => ({
      url,
      confirmOrigin: confirmOrigin !== undefined,
      ...(isListed ? {} : { visibility, appId: appId || null }),
    }),
    onDone(body) {
      const agent = body as AgentSummary;
      toast({ tone: 'good', text: t(isListed ? 'updated' : 'listed', { name: agent.name }) });
      router.push(ownAgentPath(agent.slug));
      return 'leaving';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      {isListed ? (
        <Alert title={t('listedBefore')}>{t('listedBeforeText')}</Alert>
      ) : (
        <ListingFields appId={apps[0]?.id ?? null} apps={apps} visibility="public" />
      )}
      {otherOrigin ? (
        <div>
          <Checkbox
            hint={t('otherOriginHint', { origin: otherOrigin.expected })}
            label={t('otherOrigin', { origin: otherOrigin.found })}
            name="confirmOrigin"
          />
          {fieldErrors.confirmOrigin ? <p className="mt-1 text-sm text-danger">{fieldErrors.confirmOrigin}</p> : null}
        </div>
      ) : null}
      <Button pending={pending} tone="primary" type="submit">
        {t(isListed ? 'update' : 'list')}
      </Button>
    </form>
  );
}
