'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import type { GiveFeedback } from '../../lib/chat/schema';
import { Button } from '../ui/button';
import { controlClass } from '../ui/control-class';
import { Dialog, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { toast } from '../ui/toast';

export interface FeedbackDialogProps {
  agentName: string;
  onSend: (why: Pick<GiveFeedback, 'category' | 'note'>) => Promise<boolean>;
  onClose: () => void;
}

const reasons: Record<NonNullable<GiveFeedback['category']>, string> = {
  wrong: 'It is wrong',
  incomplete: 'Something is missing',
  'off-topic': 'It answers something else',
  slow: 'It took too long',
  unsafe: 'It is harmful or unsafe',
  other: 'Something else',
};
const longestNote = 1_000;

/** Why an answer was bad. That it was is kept already. */
export function FeedbackDialog({ agentName, onSend, onClose }: FeedbackDialogProps): ReactNode {
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const category = fields.get('category');
    const note = String(fields.get('note') ?? '').trim();
    setPending(true);
    const kept = await onSend({
      ...(typeof category === 'string' && { category: category as GiveFeedback['category'] }),
      ...(note && { note }),
    });
    setPending(false);
    if (!kept) return;
    toast({ tone: 'good', text: 'Thank you. Your feedback is kept.' });
    onClose();
  }

  return (
    <Dialog
      description={
        <>
          The owner of <bdi>{agentName}</bdi> sees the reason and your note, not who you are and not the conversation.
          Press the same button again to take it back.
        </>
      }
      onOpenChange={onClose}
      open
      title="What was wrong with this answer?"
    >
      <form className="space-y-5 pt-1" onSubmit={submit}>
        <fieldset className="space-y-1">
          <legend className="mb-1.5 text-sm font-medium">Reason</legend>
          {Object.entries(reasons).map(([value, label]) => (
            <label className="flex min-h-8 items-center gap-2.5 text-sm touch:min-h-11" key={value}>
              <input className="size-4 accent-accent" name="category" type="radio" value={value} />
              {label}
            </label>
          ))}
        </fieldset>
        <Field hint="Write nothing that should stay between you and the agent." id="feedback-note" label="Note">
          {(control) => <textarea {...control} className={controlClass} maxLength={longestNote} name="note" rows={3} />}
        </Field>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>Skip</Button>
          </DialogClose>
          <Button pending={pending} tone="primary" type="submit">
            Send feedback
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
