'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_REVIEW_LENGTH } from '@/lib/reviews/limits';
import type { ReviewerStatus } from '@/lib/reviews/schema';
import { ConfirmDialog } from '../../../forms/confirm-dialog';
import { Field } from '../../../forms/field';
import { FormProblem } from '../../../forms/form-problem';
import { Textarea } from '../../../forms/inputs';
import { type FieldErrors, useForm } from '../../../forms/use-form';
import { Button } from '../../../ui/controls/button';
import { Alert } from '../../../ui/display/alert';
import { toast } from '../../../ui/overlays/toast';
import { Stars } from '../../listing/stars';

export interface OwnReviewProps {
  slug: string;
  own: ReviewerStatus['own'];
}

/** The user's own review of the agent: create, read, edit and delete. */
export function OwnReview({ slug, own }: OwnReviewProps): ReactNode {
  const t = useTranslations('market.ownReview');
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const path = `/api/agents/${encodeURIComponent(slug)}/reviews/own`;

  function done(text: string): void {
    setOpen(false);
    toast({ tone: 'good', text });
    router.refresh();
  }

  if (open) return <ReviewForm done={done} onCancel={() => setOpen(false)} own={own} path={path} />;
  if (!own) return <Button onClick={() => setOpen(true)}>{t('write')}</Button>;
  return (
    <section aria-label={t('title')} className="rounded-lg border border-line bg-surface p-5">
      <p className="flex flex-wrap items-center gap-3 text-sm">
        <span className="font-medium">{t('title')}</span>
        <Stars value={own.stars} />
      </p>
      {own.isHidden ? (
        <Alert className="mt-3" title={t('hidden')} tone="warn">
          {t('hiddenHint')}
        </Alert>
      ) : null}
      <p className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {own.text}
      </p>
      <p className="mt-4 flex gap-2">
        <Button onClick={() => setOpen(true)} size="sm">
          {t('change')}
        </Button>
        <ConfirmDialog
          action={t('deleteNow')}
          onDone={() => done(t('deleted'))}
          path={path}
          title={t('deleteTitle')}
          trigger={
            <Button size="sm" tone="quiet">
              {t('delete')}
            </Button>
          }
        >
          {t('deleteWhat')}
        </ConfirmDialog>
      </p>
    </section>
  );
}

interface ReviewFormProps {
  path: string;
  own: ReviewerStatus['own'];
  done: (text: string) => void;
  onCancel: () => void;
}

function ReviewForm({ path, own, done, onCancel }: ReviewFormProps): ReactNode {
  const t = useTranslations('market.ownReview');
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path,
    check: ({ stars }): FieldErrors => (stars ? {} : { stars: t('noStars') }),
    toBody: ({ stars, text }) => ({ stars: Number(stars), text: text ?? '' }),
    onDone() {
      done(t('published'));
      return 'staying';
    },
  });
  return (
    <form
      {...form}
      aria-label={t('title')}
      className="max-w-prose space-y-5 rounded-lg border border-line bg-surface p-5"
    >
      <FormProblem problem={problem} />
      <StarChoice chosen={own?.stars} error={fieldErrors.stars} />
      <Field error={fieldErrors.text} hint={t('hint')} id="review-text" label={t('text')} required>
        {(control) => (
          <Textarea {...control} defaultValue={own?.text} maxLength={MAX_REVIEW_LENGTH} name="text" rows={5} />
        )}
      </Field>
      <div className="flex gap-2">
        <Button pending={pending} tone="primary" type="submit">
          {t('publish')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

const meanings = ['poor', 'fair', 'good', 'veryGood', 'excellent'] as const;

function StarChoice({ chosen, error }: { chosen?: number; error?: string }): ReactNode {
  const t = useTranslations('market.ownReview');
  return (
    <fieldset aria-describedby={error ? 'stars-error' : undefined}>
      <legend className="text-sm font-medium">{t('stars')}</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {meanings.map((meaning, index) => (
          <label
            className="inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-md border border-line-strong px-3 text-sm hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft touch:min-h-11"
            key={meaning}
          >
            <input
              className="size-4 accent-accent"
              defaultChecked={chosen === index + 1}
              name="stars"
              type="radio"
              value={index + 1}
            />
            {index + 1} {t(meaning)}
          </label>
        ))}
      </div>
      {error ? (
        <p className="mt-1.5 text-sm text-danger" id="stars-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
