'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_NOTICE_LENGTH } from '@/lib/catalog/limits';
import type { Notice, OwnAgent } from '@/lib/catalog/schema';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Select } from '../../forms/inputs';
import { type FieldErrors, type Fields, type SyncedForm, useForm, useSyncedForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

type Translator = ReturnType<typeof useTranslations<'console.noticeForm'>>;

/** A notice on the agent's page: a note, maintenance, or deprecation with a replacement. */
export function ListingNoticeForm({ agent }: { agent: OwnAgent }): ReactNode {
  const writing = useSyncedForm(agent);
  return <NoticeFields key={JSON.stringify(writing.shown.notice)} {...writing} />;
}

function NoticeFields({ shown: { slug, notice }, onInput, onSent }: SyncedForm<OwnAgent>): ReactNode {
  const t = useTranslations('console.noticeForm');
  const router = useRouter();
  const [kind, setKind] = useState(notice?.kind ?? 'note');
  const path = `/api/agents/${encodeURIComponent(slug)}`;
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path,
    check: (fields) => missingIn(fields, t),
    toBody(fields) {
      onSent();
      return { ...statusFor(kind, notice?.kind), notice: noticeIn(fields, kind) };
    },
    onDone() {
      toast({ tone: 'good', text: t('shown') });
      router.refresh();
      return 'staying';
    },
  });

  async function remove(): Promise<void> {
    const back = notice?.kind === 'deprecated' ? { status: 'active' } : {};
    onSent();
    const response = await callApi('PATCH', path, { notice: null, ...back });
    toast(response.ok ? { tone: 'good', text: t('removed') } : { tone: 'danger', text: response.problem.title });
    router.refresh();
  }

  return (
    <form {...form} className="max-w-lg space-y-5" onInput={onInput}>
      <FormProblem problem={problem} />
      <Field id="notice-kind" label={t('kind')} required>
        {({ required: _, ...control }) => (
          <Select {...control} onChange={(event) => setKind(event.target.value as typeof kind)} value={kind}>
            <option value="note">{t('kinds.note')}</option>
            <option value="maintenance">{t('kinds.maintenance')}</option>
            <option value="deprecated">{t('kinds.deprecated')}</option>
          </Select>
        )}
      </Field>
      <Field
        error={fieldErrors.text}
        hint={t('textHint', { most: String(MAX_NOTICE_LENGTH) })}
        id="notice-text"
        label={t('text')}
        required
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={notice?.text ?? ''}
            maxLength={MAX_NOTICE_LENGTH}
            name="text"
          />
        )}
      </Field>
      {kind === 'deprecated' ? (
        <Field
          error={fieldErrors.replacement}
          hint={t('replacementHint')}
          id="notice-replacement"
          label={t('replacement')}
        >
          {(control) => (
            <Input {...control} autoComplete="off" defaultValue={notice?.replacement ?? ''} name="replacement" />
          )}
        </Field>
      ) : null}
      <p className="flex flex-wrap gap-2">
        <Button pending={pending} tone="primary" type="submit">
          {t('show')}
        </Button>
        {notice ? <Button onClick={() => void remove()}>{t('remove')}</Button> : null}
      </p>
    </form>
  );
}

function noticeIn({ text = '', replacement = '' }: Fields, kind: Notice['kind']): Notice {
  return { kind, text, ...(kind === 'deprecated' && replacement.trim() && { replacement: replacement.trim() }) };
}

/** Returns the new status. A deprecation notice also sets the status; any other notice leaves it unchanged. */
function statusFor(kind: string, before: string | undefined): { status?: 'active' | 'deprecated' } {
  if (kind === 'deprecated') return { status: 'deprecated' };
  return before === 'deprecated' ? { status: 'active' } : {};
}

function missingIn({ text = '', replacement = '' }: Fields, t: Translator): FieldErrors {
  return text.trim() || replacement.trim() ? {} : { text: t('noText') };
}
