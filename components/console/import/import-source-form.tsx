'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { ImportList } from '@/lib/catalog/schema-imports';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Textarea } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import type { ImportProgress } from './use-import';

interface ImportSourceFormProps {
  /** Called before a list is read. */
  onStart: () => void;
  /** Called with a list that was read. */
  onRead: (list: ImportList) => void;
  progress: ImportProgress | null;
}

const exampleUrl = 'https://agents.example/.well-known/ard.json';
const noFaults: FieldErrors = {};

/** Asks for the URL of a list of agents, or for its text. */
export function ImportSourceForm({ onStart, onRead, progress }: ImportSourceFormProps): ReactNode {
  const t = useTranslations('console.importSourceForm');
  const [isPasting, setIsPasting] = useState(false);
  const source = isPasting ? 'text' : 'url';
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/imports',
    check: (fields) => {
      if (fields[source]?.trim()) return noFaults;
      return { [source]: t(isPasting ? 'noText' : 'noUrl', { example: exampleUrl }) };
    },
    toBody: (fields) => {
      onStart();
      return { [source]: fields[source] };
    },
    onDone(body) {
      onRead(body as ImportList);
      return 'staying';
    },
  });
  const isChecking = pending || progress?.step === 'check';
  return (
    <form {...form} className="space-y-5">
      <FormProblem problem={problem} />
      {isPasting ? (
        <Field error={fieldErrors.text} hint={t('textHint')} id="text" label={t('text')} required>
          {(control) => (
            <Textarea {...control} className="w-full font-mono text-sm" name="text" rows={8} spellCheck={false} />
          )}
        </Field>
      ) : (
        <Field error={fieldErrors.url} hint={t('urlHint')} id="url" label={t('url')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="url"
              className="w-full"
              inputMode="url"
              name="url"
              placeholder={exampleUrl}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button pending={isChecking} tone="primary" type="submit">
          {progress?.step === 'check' ? t('checking', { done: progress.done, total: progress.total }) : t('check')}
        </Button>
        <button className="text-link text-sm" onClick={() => setIsPasting(!isPasting)} type="button">
          {t(isPasting ? 'useUrl' : 'paste')}
        </button>
      </div>
    </form>
  );
}
