'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { Notice, OwnAgent } from '@/lib/catalog/schema';
import { callApi } from '../account/call-api';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';
import { type Shown, useShown } from './use-shown';

type Translator = ReturnType<typeof useTranslations<'console.noticeForm'>>;

/** What people read on the agent's page: a note, that it is under maintenance, or that another one takes its place. */
export function NoticeForm({ agent }: { agent: OwnAgent }): ReactNode {
  const writing = useShown(agent);
  return <NoticeFields key={JSON.stringify(writing.shown.notice)} {...writing} />;
}

function NoticeFields({ shown: { slug, notice }, onInput, onSent }: Shown<OwnAgent>): ReactNode {
  const t = useTranslations('console.noticeForm');
  const router = useRouter();
  const [kind, setKind] = useState(notice?.kind ?? 'note');
  const path = `/api/agents/${encodeURIComponent(slug)}`;
  const { form, pending, problem, faults } = useForm({
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
    const answer = await callApi('PATCH', path, { notice: null, ...back });
    toast(answer.ok ? { tone: 'good', text: t('removed') } : { tone: 'danger', text: answer.problem.title });
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
      <Field error={faults.text} hint={t('textHint', { most: '200' })} id="notice-text" label={t('text')} required>
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={notice?.text ?? ''} maxLength={200} name="text" />
        )}
      </Field>
      {kind === 'deprecated' ? (
        <Field error={faults.replacement} hint={t('replacementHint')} id="notice-replacement" label={t('replacement')}>
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

/** The status goes with the notice that says so; every other notice leaves it as it is. */
function statusFor(kind: string, before: string | undefined): { status?: 'active' | 'deprecated' } {
  if (kind === 'deprecated') return { status: 'deprecated' };
  return before === 'deprecated' ? { status: 'active' } : {};
}

function missingIn({ text = '', replacement = '' }: Fields, t: Translator): Faults {
  return text.trim() || replacement.trim() ? {} : { text: t('noText') };
}
