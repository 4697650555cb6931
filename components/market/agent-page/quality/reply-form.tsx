'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_REVIEW_LENGTH } from '@/lib/reviews/limits';
import { ConfirmDialog } from '../../../forms/confirm-dialog';
import { Field } from '../../../forms/field';
import { FormProblem } from '../../../forms/form-problem';
import { Textarea } from '../../../forms/inputs';
import { useForm } from '../../../forms/use-form';
import { Button } from '../../../ui/controls/button';
import { toast } from '../../../ui/overlays/toast';

export interface ReplyFormProps {
  slug: string;
  reviewId: string;
  /** The current reply; empty for none. */
  reply: string;
}

/** The publisher's reply to a review, opened by a button. */
export function ReplyForm({ slug, reviewId, reply }: ReplyFormProps): ReactNode {
  const t = useTranslations('market.replyForm');
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const path = `/api/agents/${encodeURIComponent(slug)}/reviews/${reviewId}/reply`;

  function done(text: string): void {
    setOpen(false);
    toast({ tone: 'good', text });
    router.refresh();
  }

  if (open)
    return <OpenForm done={done} id={`reply-${reviewId}`} onCancel={() => setOpen(false)} path={path} reply={reply} />;
  return (
    <p className="mt-3 flex gap-2">
      <Button onClick={() => setOpen(true)} size="sm">
        {t(reply ? 'change' : 'reply')}
      </Button>
      {reply ? (
        <ConfirmDialog
          action={t('removeNow')}
          onDone={() => done(t('removed'))}
          path={path}
          title={t('removeTitle')}
          trigger={
            <Button size="sm" tone="quiet">
              {t('remove')}
            </Button>
          }
        >
          {t('removeWhat')}
        </ConfirmDialog>
      ) : null}
    </p>
  );
}

interface OpenFormProps {
  id: string;
  path: string;
  reply: string;
  done: (text: string) => void;
  onCancel: () => void;
}

function OpenForm({ id, path, reply, done, onCancel }: OpenFormProps): ReactNode {
  const t = useTranslations('market.replyForm');
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path,
    onDone() {
      done(t('published'));
      return 'staying';
    },
  });
  return (
    <form {...form} className="mt-3 max-w-prose space-y-3">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.text} hint={t('hint')} id={id} label={t('label')} required>
        {(control) => (
          <Textarea {...control} autoFocus defaultValue={reply} maxLength={MAX_REVIEW_LENGTH} name="text" />
        )}
      </Field>
      <div className="flex gap-2">
        <Button pending={pending} size="sm" tone="primary" type="submit">
          {t('publish')}
        </Button>
        <Button onClick={onCancel} size="sm">
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}
