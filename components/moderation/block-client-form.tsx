'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_BLOCK_REASON_LENGTH, MAX_CLIENT_ID_LENGTH } from '@/lib/tokens/limits';
import type { BlockedClientView } from '@/lib/tokens/schema-oauth-clients';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

/** Blocks an OAuth client for every user. */
export function BlockClientForm(): ReactNode {
  const t = useTranslations('moderation.blockClientForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/moderation/blocked-clients',
    check: ({ clientId, reason }) => ({
      ...(clientId?.trim() ? {} : { clientId: t('clientIdMissing') }),
      ...(reason?.trim() ? {} : { reason: t('reasonMissing') }),
    }),
    onDone(body, sent) {
      const { name, clientId } = body as BlockedClientView;
      toast({ tone: 'good', text: t('blocked', { name: name ?? clientId }) });
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.clientId} hint={t('clientIdHint')} id="clientId" label={t('clientId')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="font-mono"
            maxLength={MAX_CLIENT_ID_LENGTH}
            name="clientId"
            spellCheck={false}
          />
        )}
      </Field>
      <Field error={fieldErrors.reason} hint={t('reasonHint')} id="reason" label={t('reason')} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={MAX_BLOCK_REASON_LENGTH} name="reason" />}
      </Field>
      <Button pending={pending} tone="danger" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
