'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { Dialog, DialogClose } from '../ui/overlays/dialog';
import { type ApiProblem, callApi } from './call-api';

export interface ConfirmDialogProps {
  /** The button that opens the dialog. */
  trigger: ReactNode;
  title: ReactNode;
  /** The consequence of the action, in one or two sentences. */
  children: ReactNode;
  /** The verb on the confirmation button. */
  action: string;
  /** The path of the deleted resource in our API. */
  path: string;
  onDone: () => void;
}

/** Asks for confirmation before an irreversible deletion, then deletes. */
export function ConfirmDialog({ trigger, title, children, action, path, onDone }: ConfirmDialogProps): ReactNode {
  const t = useTranslations('ui.confirmDialog');
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function run(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('DELETE', path);
    setPending(false);
    if (!response.ok) return setProblem(response.problem);
    setOpen(false);
    onDone();
  }

  return (
    <Dialog
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button onClick={() => void run()} pending={pending} tone="danger">
            {action}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={title}
      trigger={trigger}
    >
      <div className="space-y-4">
        <p>{children}</p>
        {problem ? (
          <Alert live="assertive" tone="danger">
            {problem.title}
          </Alert>
        ) : null}
      </div>
    </Dialog>
  );
}
