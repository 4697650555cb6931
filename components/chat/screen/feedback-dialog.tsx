'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_FEEDBACK_NOTE_LENGTH } from '../../../lib/chat/limits';
import type { GiveFeedback } from '../../../lib/chat/schema-thread';
import { Field } from '../../forms/field';
import { controlClass } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';
import { toast } from '../../ui/overlays/toast';

export interface FeedbackDialogProps {
  agentName: string;
  onSend: (why: Pick<GiveFeedback, 'category' | 'note'>) => Promise<boolean>;
  onClose: () => void;
}

const reasons: NonNullable<GiveFeedback['category']>[] = [
  'wrong',
  'incomplete',
  'off-topic',
  'slow',
  'unsafe',
  'other',
];

/** Asks why an answer was bad. The rating itself is already stored. */
export function FeedbackDialog({ agentName, onSend, onClose }: FeedbackDialogProps): ReactNode {
  const t = useTranslations('chat.feedbackDialog');
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const category = fields.get('category');
    const note = String(fields.get('note') ?? '').trim();
    setPending(true);
    const isSaved = await onSend({
      ...(typeof category === 'string' && { category: category as GiveFeedback['category'] }),
      ...(note && { note }),
    });
    setPending(false);
    if (!isSaved) return;
    toast({ tone: 'good', text: t('thanks') });
    onClose();
  }

  return (
    <Dialog
      description={t.rich('whoSees', { agent: () => <bdi>{agentName}</bdi> })}
      onOpenChange={onClose}
      open
      title={t('title')}
    >
      <form className="space-y-5 pt-1" onSubmit={submit}>
        <fieldset className="space-y-1">
          <legend className="mb-1.5 text-sm font-medium">{t('reason')}</legend>
          {reasons.map((value) => (
            <label className="flex min-h-8 items-center gap-2.5 text-sm touch:min-h-11" key={value}>
              <input className="size-4 accent-accent" name="category" type="radio" value={value} />
              {t(`reasons.${value}`)}
            </label>
          ))}
        </fieldset>
        <Field hint={t('noteHint')} id="feedback-note" label={t('note')}>
          {(control) => (
            <textarea {...control} className={controlClass} maxLength={MAX_FEEDBACK_NOTE_LENGTH} name="note" rows={3} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{t('skip')}</Button>
          </DialogClose>
          <Button pending={pending} tone="primary" type="submit">
            {t('send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
